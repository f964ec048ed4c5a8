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

# Whether a program with its first arguments is a Python that will do; one that is not there will not.
function Test-Python([string] $program, [string[]] $arguments = @()) {
    try {
        & $program @arguments -c $check 2>$null | Out-Null
        return $LASTEXITCODE -eq 0
    } catch {
        return $false
    }
}

# Writes the path of a Python that will do.
function Find-Python {
    # The launcher knows every installed Python; "python" may be the shop window of the Microsoft Store.
    foreach ($version in '3.13', '3.12', '3.14', '3.11', '3.10') {
        if (Test-Python 'py' "-$version") {
            return & py "-$version" -c 'import sys; print(sys.executable)'
        }
    }
    foreach ($program in 'python', 'python3') {
        if (Test-Python $program) { return $program }
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
if (-not (Test-Python $python)) {
    $base = if ($env:PYTHON) { $env:PYTHON } else { Find-Python }
    Write-Host "Creating a virtual environment in $venv with $base"
    Invoke-Checked $base @('-m', 'venv', '--clear', $venv)
}

$wanted = (Get-FileHash (Join-Path $repository 'pyproject.toml') -Algorithm SHA256).Hash + ' ' + $repository
if (-not (Test-Path $stamp) -or (Get-Content $stamp -Raw).Trim() -ne $wanted) {
    Write-Host 'Installing sdfviewer (minutes the first time)'
    Invoke-Checked $python @('-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--editable', "$repository[all]")
    Set-Content -Path $stamp -Value $wanted -Encoding UTF8
}

$files = $args
if ($files.Count -eq 0) { $files = @(Join-Path $repository 'resources\examples\arm.sdf') }
& (Join-Path $venv 'Scripts\sdfviewer.exe') @files
exit $LASTEXITCODE
