# Opens sdfviewer from a plain clone on Windows: packaging\run.ps1 --help says how.
#
# Needs Python 3.10 to 3.14 and nothing else: the virtual environment and the program are prepared the first time. What is
# wrong in the arguments is said before that.
# Where scripts are not allowed: powershell -ExecutionPolicy Bypass -File packaging\run.ps1
$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 2

$repository = Split-Path -Parent $PSScriptRoot
$venv = if ($env:SDFVIEWER_VENV) { $env:SDFVIEWER_VENV } else { Join-Path $repository '.venv' }
$python = Join-Path $venv 'Scripts\python.exe'
$stamp = Join-Path $venv '.packaging-stamp'
$check = 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 15))'
$usage = @'
Usage: packaging\run.ps1 [--path DIR]... [--arg NAME=VALUE]... [--xacro] [FILE]...
       packaging\run.ps1 COMMAND [ARGUMENT]...

Opens each FILE in the window, or an example where none is named. With a COMMAND such as check or convert, runs that command
of sdfviewer.

The first run prepares a virtual environment in .venv and installs what is missing: minutes, and about 620 MB.

  --path DIR        add a folder to the model path
  --arg NAME=VALUE  set an argument of xacro files
  --xacro           also evaluate xacro files that are included
  --version         show the version and exit
  -h, --help        show this help and exit

$env:PYTHON names the Python to use, $env:SDFVIEWER_VENV a folder for the environment.
'@

# Ends the script for its arguments, before it does anything.
function Stop-Refused([string] $message) {
    [Console]::Error.WriteLine("run.ps1: $message")
    [Console]::Error.WriteLine('packaging\run.ps1 --help says what it takes.')
    exit 2
}

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
    if ($env:PYTHON) { return $env:PYTHON }
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

# Writes what the program says without the packages that its commands need: --help lists them, --version is known.
function Get-Uninstalled([string] $option) {
    $before = $env:PYTHONPATH
    $env:PYTHONPATH = $repository
    try { & (Find-Python) -m sdfviewer $option } finally { $env:PYTHONPATH = $before }
}

function Test-Command([string] $word) {
    if ($word -cnotmatch '^[a-z]+(-[a-z]+)*$') { return $false }
    return [bool] (@(Get-Uninstalled '--help') -cmatch "^ +$word  ")
}

function Install-Program {
    if ((Test-Path -LiteralPath $venv) -and -not (Test-Path -LiteralPath (Join-Path $venv 'pyvenv.cfg'))) {
        throw "$venv exists but is not a virtual environment"
    }
    # A working environment is used as it is; only one that cannot run is made anew.
    if (-not (Test-Python $python)) {
        $base = Find-Python
        Write-Host "Creating a virtual environment in $venv with $base"
        Invoke-Checked $base @('-m', 'venv', '--clear', $venv)
    }
    $project = Join-Path $repository 'pyproject.toml'
    $wanted = (Get-FileHash -LiteralPath $project -Algorithm SHA256).Hash + ' ' + $repository
    if (-not (Test-Path -LiteralPath $stamp) -or (Get-Content -LiteralPath $stamp -Raw -Encoding UTF8).Trim() -ne $wanted) {
        Write-Host 'Installing sdfviewer[all]. This takes minutes the first time.'
        Invoke-Checked $python @('-m', 'pip', 'install', '--disable-pip-version-check', '--editable', "$repository[all]")
        Set-Content -LiteralPath $stamp -Value $wanted -Encoding UTF8
    }
}

$words = @($args)
if ($words.Count -gt 0 -and @('-h', '--help') -ccontains $words[0]) {
    Write-Output $usage
    exit 0
}
if ($words.Count -gt 0 -and $words[0] -ceq '--version') {
    Get-Uninstalled '--version'
    exit $LASTEXITCODE
}
if ($words.Count -gt 0 -and $words[0] -ceq 'open') {
    $words = @($words | Select-Object -Skip 1)
} elseif ($words.Count -gt 0 -and (Test-Command $words[0])) {
    Install-Program
    & (Join-Path $venv 'Scripts\sdfviewer.exe') @words
    exit $LASTEXITCODE
}

$options = @()
$files = @()
for ($at = 0; $at -lt $words.Count; $at++) {
    $word = [string] $words[$at]
    if (@('--path', '--arg') -ccontains $word) {
        $at++
        if ($at -ge $words.Count) { Stop-Refused "$word needs a value" }
        if ($word -ceq '--path' -and -not (Test-Path -LiteralPath $words[$at] -PathType Container)) {
            Stop-Refused "there is no folder '$($words[$at])'"
        }
        $options += $word, $words[$at]
    } elseif ($word -clike '--path=*' -or $word -clike '--arg=*' -or $word -ceq '--xacro') {
        $options += $word
    } elseif (@('-h', '--help') -ccontains $word) {
        Write-Output $usage
        exit 0
    } elseif ($word -ceq '--') {
        $files += @($words | Select-Object -Skip ($at + 1))
        break
    } elseif ($word -clike '-?*') {
        Stop-Refused "there is no option '$word'"
    } else {
        $files += $word
    }
}
if ($files.Count -eq 0) { $files = @(Join-Path $repository 'resources\examples\arm.sdf') }
foreach ($file in $files) {
    if ($file -cne '-' -and -not (Test-Path -LiteralPath $file)) { Stop-Refused "there is no file and no command '$file'" }
}

Install-Program
Write-Host "Opening $files"
# A name that begins with a dash would be an option.
$files = @($files | ForEach-Object { if ($_ -clike '-?*') { Join-Path '.' $_ } else { $_ } })
& (Join-Path $venv 'Scripts\sdfviewer.exe') open @options @files
exit $LASTEXITCODE
