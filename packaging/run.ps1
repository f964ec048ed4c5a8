# Opens sdfviewer from a plain clone on Windows: packaging\run.ps1 [FILE...]
#
# Needs Python 3.10 to 3.14 and nothing else: the virtual environment and the program are prepared the first time.
# Where scripts are not allowed: powershell -ExecutionPolicy Bypass -File packaging\run.ps1
$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 2

$repository = Split-Path -Parent $PSScriptRoot
$venv = Join-Path $repository '.venv'
$python = Join-Path $venv 'Scripts\python.exe'
$stamp = Join-Path $venv '.packaging-stamp'
$check = 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 15))'

# Runs a program with a check and says whether it ended well; a program that is not there did not.
function Test-Python([string[]] $command) {
    try {
        $program, $first = $command
        & $program @($first | Where-Object { $_ }) -c $check 2>$null | Out-Null
        return $LASTEXITCODE -eq 0
    } catch {
        return $false
    }
}

function Find-Python {
    $candidates = @()
    if ($env:PYTHON) { $candidates += , @($env:PYTHON) }
    # The launcher knows every installed Python; "python" may be the shop window of the Microsoft Store.
    foreach ($version in '3.13', '3.12', '3.14', '3.11', '3.10') { $candidates += , @('py', "-$version") }
    $candidates += , @('python')
    $candidates += , @('python3')
    foreach ($candidate in $candidates) {
        if (Test-Python $candidate) { return , $candidate }
    }
    throw 'Python 3.10 to 3.14 is needed and was not found. Install it from python.org, or set $env:PYTHON to its path.'
}

function Invoke-Checked([string] $program, [string[]] $arguments) {
    & $program @arguments
    if ($LASTEXITCODE -ne 0) { throw "$program $($arguments -join ' ') ended with $LASTEXITCODE" }
}

if ((Test-Path $venv) -and -not (Test-Path (Join-Path $venv 'pyvenv.cfg'))) {
    throw "$venv is in the way: it is no virtual environment"
}
# A working environment is used as it is; only one that cannot run is made anew.
if (-not (Test-Python @($python))) {
    $base = @(Find-Python)
    Write-Host "Creating a virtual environment in $venv with $($base -join ' ')"
    $first = @($base | Select-Object -Skip 1)
    Invoke-Checked $base[0] ($first + @('-m', 'venv', '--clear', $venv))
}

$wanted = (Get-FileHash (Join-Path $repository 'pyproject.toml') -Algorithm SHA256).Hash + ' ' + $repository
if (-not (Test-Path $stamp) -or (Get-Content $stamp -Raw).Trim() -ne $wanted) {
    Write-Host 'Installing sdfviewer (minutes the first time)'
    Invoke-Checked $python @('-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--editable', $repository)
    Set-Content -Path $stamp -Value $wanted -Encoding UTF8
}

$files = $args
if ($files.Count -eq 0) { $files = @(Join-Path $repository 'resources\examples\arm.sdf') }
& (Join-Path $venv 'Scripts\sdfviewer.exe') @files
exit $LASTEXITCODE
