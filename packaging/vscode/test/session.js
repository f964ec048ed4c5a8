// A session in VS Code's client library and the extension: what a user does with two files, one of which includes the
// other, and a window beside the editor. Variables: SERVER (the command, one word a line), ARM and WORLD (the files),
// ANSWERS (where the answers go, as JSON).

const { writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const Module = require("node:module");
const { vscode, providers, configuration, diagnostics, openFile } = require("./vscode.js");

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require("../extension.js");

async function until(what, condition) {
  const end = Date.now() + 60000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`nothing arrived: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function session() {
  const token = new vscode.CancellationTokenSource().token;
  const answers = {};
  configuration.sdfviewer = { command: process.env.SERVER.split("\n"), paths: [], codeLens: true };
  vscode.workspace.workspaceFolders = [{ uri: vscode.Uri.file(dirname(process.env.ARM)), name: "models", index: 0 }];
  const world = openFile(process.env.WORLD, "sdf");
  const arm = openFile(process.env.ARM, "sdf");
  const problems = (document) => diagnostics.get(document.uri.toString());
  await extension.activate({ subscriptions: [] });
  await until("diagnostics", () => problems(arm) && problems(world));
  answers.clean = problems(arm).length + problems(world).length;

  // A broken relative_to is seen while it is typed ...
  const before = arm.getText();
  const at = arm.find('relative_to="base');
  arm.edit([new vscode.TextEdit(new vscode.Range(at, at), "x")]);
  await until("the problem", () => problems(arm).length > 0);
  const problem = problems(arm)[0];
  answers.problem = problem.code.value;
  answers.page = problem.code.target.toString();

  // ... and fixed by a code action.
  const context = { diagnostics: [problem], only: vscode.CodeActionKind.QuickFix, triggerKind: 1 };
  const actions = await providers.CodeActions.provideCodeActions(arm, problem.range, context, token);
  const fix = actions.find((action) => action.isPreferred);
  answers.action = fix.title;
  await vscode.workspace.applyEdit(fix.edit);
  answers.restored = arm.getText() === before;

  // The frame is renamed in both files.
  await vscode.workspace.applyEdit(await providers.Rename.provideRenameEdits(arm, arm.find('name="gras'), "hold", token));
  answers.renamed = [arm.getText().includes('name="hold"'), world.getText().includes("robot::hold")];

  // Its resolved pose is read in a hint.
  const whole = new vscode.Range(new vscode.Position(0, 0), new vscode.Position(999, 0));
  const hints = await providers.InlayHints.provideInlayHints(arm, whole, token);
  answers.hints = hints.map((hint) => hint.label);
  const hover = (await providers.Hover.provideHover(arm, arm.find('name="hol'), token)).contents;
  answers.hover = [hover].flat()[0].value;

  // The window is opened on it, and the frame dragged there.
  const unmoved = arm.getText();
  answers.opened = await vscode.commands.executeCommand("sdfviewer.open", arm.uri.toString(), "arm::hold");
  await until("the edit of the window", () => arm.getText() !== unmoved);
  arm.save();
  world.save();
  await extension.deactivate();
  writeFileSync(process.env.ANSWERS, JSON.stringify(answers));
}

session().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
