// VS Code's client library and the extension as a test drives them: each line of standard input is a request as JSON, each
// line of standard output its answer. SERVER is the command of the language server, one word a line; ROOT the folder.

const { createInterface } = require("node:readline");
const Module = require("node:module");
const { vscode, configuration, openFile } = require("./vscode.js");

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const { LanguageClient } = require("vscode-languageclient/node");
const extension = require("../extension.js");

// The client that the extension starts.
let client;
const start = LanguageClient.prototype.start;
LanguageClient.prototype.start = function () {
  client = this;
  return start.call(this);
};

const opened = new Map();
const position = ({ line, character }) => new vscode.Position(line, character);

const requests = {
  open({ path, uri }) {
    opened.set(uri, openFile(path, path.endsWith(".urdf") ? "urdf" : "sdf"));
    return opened.get(uri).getText();
  },
  unit: () => "utf-16",
  /** Delete a range and press the keys where it began. */
  type({ uri, start, end, keys }) {
    const document = opened.get(uri);
    document.edit([new vscode.TextEdit(new vscode.Range(position(start), position(end)), keys)]);
    return document.getText();
  },
  ask: ({ method, params }) => client.sendRequest(method, params),
  async apply({ edit }) {
    await vscode.workspace.applyEdit(await client.protocol2CodeConverter.asWorkspaceEdit(edit));
    return Object.fromEntries([...opened].map(([uri, document]) => [uri, document.getText()]));
  },
};

async function run() {
  configuration.sdfviewer = { command: process.env.SERVER.split("\n"), paths: [], codeLens: true };
  vscode.workspace.workspaceFolders = [{ uri: vscode.Uri.file(process.env.ROOT), name: "models", index: 0 }];
  await extension.activate({ subscriptions: [] });
  for await (const line of createInterface({ input: process.stdin })) {
    const said = JSON.parse(line);
    let answer;
    try {
      answer = { result: (await requests[said.do](said)) ?? null };
    } catch (error) {
      answer = { wrong: String(error?.stack ?? error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  await extension.deactivate();
}

run().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
