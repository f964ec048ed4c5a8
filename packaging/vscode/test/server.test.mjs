// The server answers VS Code's own protocol library. SDFVIEWER names the command to start, "sdfviewer" by default.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node";

const ARM = `<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <link name="tip"><pose relative_to="base">0 0 0.5 0 0 0</pose></link>
    <joint name="j" type="fixed"><parent>base</parent><child>tip</child></joint>
  </model>
</sdf>
`;

let server;
let connection;
let uri;
const published = new Map();

before(async () => {
  const folder = mkdtempSync(join(tmpdir(), "sdfviewer-"));
  const file = join(folder, "arm.sdf");
  writeFileSync(file, ARM);
  uri = pathToFileURL(file).href;
  const [program, ...args] = (process.env.SDFVIEWER ?? "sdfviewer").split(" ");
  server = spawn(program, [...args, "lsp"]);
  connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout),
    new protocol.StreamMessageWriter(server.stdin),
  );
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => published.set(params.version, params));
  connection.listen();
  await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { workspace: { workspaceEdit: { documentChanges: true } } },
  });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "sdf", version: 1, text: ARM },
  });
});

after(async () => {
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  server.kill();
});

async function diagnostics(version) {
  const end = Date.now() + 20000;
  while (!published.has(version)) {
    assert.ok(Date.now() < end, "no diagnostics arrived");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return published.get(version).diagnostics;
}

test("hints show the resolved pose", async () => {
  const hints = await connection.sendRequest(protocol.InlayHintRequest.type, {
    textDocument: { uri },
    range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
  });
  assert.deepEqual(hints.map((hint) => hint.label), [" arm: 0 0 0.5"]);
});

test("a rename changes every reference", async () => {
  const edit = await connection.sendRequest(protocol.RenameRequest.type, {
    textDocument: { uri },
    position: { line: 4, character: ARM.split("\n")[4].indexOf("<child>") + 8 },
    newName: "hand",
  });
  assert.equal(edit.documentChanges.flatMap((change) => change.edits).length, 2);
});

test("a broken reference is reported while it is typed", async () => {
  assert.deepEqual(await diagnostics(1), []);
  const column = ARM.split("\n")[3].indexOf('"base"') + 5;
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [
      { range: { start: { line: 3, character: column }, end: { line: 3, character: column } }, text: "x" },
    ],
  });
  assert.deepEqual((await diagnostics(2)).map((problem) => problem.code), ["relative-to-invalid"]);
});

test("the extension declares what its code uses", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf-8"));
  const source = readFileSync(new URL("../extension.js", import.meta.url), "utf-8");
  for (const { command } of manifest.contributes.commands) {
    assert.ok(source.includes(`registerCommand("${command}"`), command);
  }
  for (const key of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(source.includes(`get("${key.replace("sdfviewer.", "")}")`), key);
  }
});
