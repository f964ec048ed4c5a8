// The VS Code extension: starts `sdfviewer lsp` and hands it the settings. All answers come from the server.

const { execFile } = require("node:child_process");
const { homedir } = require("node:os");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["sdf", "urdf", "xacro"];
// Programs do not start in the workspace, where a stranger's sdfviewer.py or pip.py would be imported first.
const ELSEWHERE = { cwd: homedir() };
let client;

function settings() {
  const configured = vscode.workspace.getConfiguration("sdfviewer");
  return {
    paths: configured.get("paths"),
    codeLens: configured.get("codeLens"),
    lensCommands: true,
    index: configured.get("index"),
    rulePages: configured.get("rulePages"),
    workspaceProblems: configured.get("workspaceProblems"),
    hints: {
      resolvedPose: configured.get("hints.resolvedPose"),
      defaultFrame: configured.get("hints.defaultFrame"),
      unit: configured.get("hints.unit"),
    },
  };
}

function command() {
  const [program = "sdfviewer", ...args] = vscode.workspace.getConfiguration("sdfviewer").get("command");
  return { program, args };
}

/** Return whether the server can be started. */
function isInstalled(program, args) {
  const probe = args[args.length - 1] === "lsp" ? args.slice(0, -1) : args;
  return new Promise((resolve) => execFile(program, [...probe, "--version"], ELSEWHERE, (error) => resolve(!error)));
}

async function offerInstallation() {
  const install = "Install from a Clone…";
  const configure = "Open Settings";
  const chosen = await vscode.window.showWarningMessage(
    "The sdfviewer language server was not found.",
    install,
    configure,
  );
  if (chosen === install) {
    const [clone] = (await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false })) ?? [];
    if (!clone) return;
    const terminal = vscode.window.createTerminal({ name: "sdfviewer", ...ELSEWHERE });
    terminal.show();
    terminal.sendText(`python3 -m pip install "${clone.fsPath}[lsp]"`);
  } else if (chosen === configure) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "sdfviewer.command");
  }
}

async function start() {
  const { program, args } = command();
  if (!(await isInstalled(program, args))) {
    await offerInstallation();
    return;
  }
  client = new LanguageClient(
    "sdfviewer",
    "sdfviewer",
    { command: program, args, options: ELSEWHERE },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
      initializationOptions: settings(),
    },
  );
  await client.start();
}

/** Show the references behind a code lens. */
async function showReferences(uri, position) {
  const file = vscode.Uri.parse(uri);
  const at = new vscode.Position(position.line, position.character);
  // The lens is above the element; its name is in the start tag.
  const document = await vscode.workspace.openTextDocument(file);
  const tag = document.getText(new vscode.Range(at, document.lineAt(at.line).range.end));
  const name = /\bname\s*=\s*["']/.exec(tag);
  const target = name === null ? at : at.translate(0, name.index + name[0].length);
  const found = await vscode.commands.executeCommand("vscode.executeReferenceProvider", file, target);
  await vscode.commands.executeCommand("editor.action.showReferences", file, target, found ?? []);
}

function openWindow() {
  const editor = vscode.window.activeTextEditor;
  if (editor && client) {
    return client.sendRequest("workspace/executeCommand", {
      command: "sdfviewer.open",
      arguments: [editor.document.uri.toString(), ""],
    });
  }
  return undefined;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("sdfviewer.openWindow", openWindow),
    vscode.commands.registerCommand("sdfviewer.showReferences", showReferences),
    vscode.commands.registerCommand("sdfviewer.restart", async () => {
      await client?.stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("sdfviewer")) {
        client?.sendNotification("workspace/didChangeConfiguration", { settings: { sdfviewer: settings() } });
      }
    }),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
