// As much of VS Code's API as the extension and its client library use: documents that can be typed in, and the features
// that the library registers. What the library only constructs is a plain object.

const { readFileSync, writeFileSync } = require("node:fs");
const { fileURLToPath, pathToFileURL } = require("node:url");

class Disposable {
  constructor(dispose = () => undefined) {
    this.dispose = dispose;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
}

class EventEmitter {
  listeners = new Set();
  event = (listener, thisArg) => {
    const bound = thisArg ? listener.bind(thisArg) : listener;
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(value) {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose() {
    this.listeners.clear();
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.split(":")[0];
    this.path = this.scheme === "file" ? new URL(text).pathname : text;
    this.fsPath = this.scheme === "file" ? fileURLToPath(text) : text;
  }
  static parse = (text) => new Uri(text);
  static file = (path) => new Uri(pathToFileURL(path).href);
  toString() {
    return this.text;
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end, line, character) {
    this.start = typeof start === "number" ? new Position(start, end) : start;
    this.end = typeof start === "number" ? new Position(line, character) : end;
  }
}

class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
}

class WorkspaceEdit {
  files = new Map();
  set(uri, edits) {
    const plain = edits.map((each) => (Array.isArray(each) ? each[0] : each));
    this.files.set(uri.toString(), [...(this.files.get(uri.toString()) ?? []), ...plain]);
  }
  replace(uri, range, newText) {
    this.set(uri, [new TextEdit(range, newText)]);
  }
  insert(uri, position, newText) {
    this.set(uri, [new TextEdit(new Range(position, position), newText)]);
  }
  delete(uri, range) {
    this.set(uri, [new TextEdit(range, "")]);
  }
}

const events = new Proxy({}, { get: (known, name) => (known[name] ??= new EventEmitter()) });

class TextDocument {
  version = 1;
  isClosed = false;
  constructor(path, languageId) {
    this.uri = Uri.file(path);
    this.fileName = path;
    this.languageId = languageId;
    this.text = readFileSync(path, "utf-8");
  }
  getText(range) {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }
  offsetAt({ line, character }) {
    let offset = 0;
    for (let number = 0; number < line; number++) {
      const next = this.text.indexOf("\n", offset);
      if (next < 0) return this.text.length;
      offset = next + 1;
    }
    return Math.min(offset + character, this.text.length);
  }
  positionAt(offset) {
    const before = this.text.slice(0, offset).split("\n");
    return new Position(before.length - 1, before.at(-1).length);
  }
  find(piece) {
    const offset = this.text.indexOf(piece);
    if (offset < 0) throw new Error(`there is no ${piece}`);
    return this.positionAt(offset + piece.length);
  }
  /** Make edits, as a user or an extension does: from the end, so that earlier places stay right. */
  edit(edits) {
    const ordered = edits
      .map(({ range, newText }) => ({ start: this.offsetAt(range.start), end: this.offsetAt(range.end), range, newText }))
      .sort((a, b) => b.start - a.start);
    const contentChanges = ordered.map(({ start, end, range, newText }) => {
      this.text = this.text.slice(0, start) + newText + this.text.slice(end);
      return { range, rangeOffset: start, rangeLength: end - start, text: newText };
    });
    this.version += 1;
    events.onDidChangeTextDocument.fire({ document: this, contentChanges, reason: undefined });
  }
  save() {
    writeFileSync(this.fileName, this.text);
    events.onDidSaveTextDocument.fire(this);
  }
}

const documents = [];
const providers = {};
const commands = new Map();
const configuration = {};
const diagnostics = new Map();
const nothing = () => new Proxy(() => undefined, { get: (_, name) => (name === "then" ? undefined : () => undefined) });

class TabInputText {
  constructor(uri) {
    this.uri = uri;
  }
}

const api = {
  version: "1.96.0",
  Disposable, EventEmitter, Uri, Position, Range, TextEdit, WorkspaceEdit, TabInputText,
  CancellationError: class extends Error {},
  CancellationTokenSource: class {
    token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
    cancel() {}
    dispose() {}
  },
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  Hover: class { constructor(contents, range) { Object.assign(this, { contents, range }); } },
  InlayHint: class { constructor(position, label, kind) { Object.assign(this, { position, label, kind }); } },
  CodeAction: class { constructor(title, kind) { Object.assign(this, { title, kind }); } },
  MarkdownString: class { constructor(value = "") { this.value = value; } appendCodeblock(code) { this.value += code; } },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  CodeActionKind: kind(""),
  ProgressLocation: { Window: 10, Notification: 15 },
  languages: {
    match: (selector, document) =>
      [selector].flat().some((each) => each.language === document.languageId && each.scheme === document.uri.scheme) ? 10 : 0,
    createDiagnosticCollection: () => ({
      set: (uri, found) => diagnostics.set(uri.toString(), found ?? []),
      delete: (uri) => diagnostics.delete(uri.toString()),
      clear: () => diagnostics.clear(),
      has: (uri) => diagnostics.has(uri.toString()),
      forEach: () => undefined,
      dispose: () => undefined,
    }),
  },
  workspace: {
    textDocuments: documents,
    notebookDocuments: [],
    workspaceFolders: undefined,
    getConfiguration: (section) => ({ get: (key) => configuration[section]?.[key], has: () => true }),
    createFileSystemWatcher: () => ({
      onDidCreate: new EventEmitter().event, onDidChange: new EventEmitter().event, onDidDelete: new EventEmitter().event,
      dispose: () => undefined,
    }),
    getWorkspaceFolder: () => undefined,
    openTextDocument: async (uri) => documents.find((each) => each.uri.toString() === uri.toString()),
    applyEdit: async (edit) => {
      for (const [uri, edits] of edit.files) {
        documents.find((each) => each.uri.toString() === uri).edit(edits);
      }
      return true;
    },
    fs: {},
  },
  window: {
    activeTextEditor: undefined,
    visibleTextEditors: [],
    tabGroups: { all: [{ tabs: [] }], onDidChangeTabs: events.onDidChangeTabs.event },
    createOutputChannel: nothing,
    withProgress: (_, task) => task({ report: () => undefined }, new api.CancellationTokenSource().token),
    showTextDocument: async (uri) => ({ document: uri, revealRange: () => undefined }),
    showInformationMessage: async (text) => console.error(text),
    showWarningMessage: async (text) => console.error(text),
    showErrorMessage: async (text) => console.error(text),
  },
  commands: {
    registerCommand: (id, run) => {
      if (commands.has(id)) throw new Error(`command '${id}' already exists`);
      commands.set(id, run);
      return new Disposable(() => commands.delete(id));
    },
    executeCommand: async (id, ...args) => commands.get(id)?.(...args),
  },
  env: { language: "en", appName: "VS Code", openExternal: async () => true },
};

function kind(value) {
  const made = { value, append: (part) => kind(value ? `${value}.${part}` : part) };
  made.contains = (other) => other.value === value || other.value.startsWith(`${value}.`);
  if (value === "") {
    const names = ["quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite", "source", "source.fixAll"];
    const keys = ["QuickFix", "Refactor", "RefactorExtract", "RefactorInline", "RefactorRewrite", "Source", "SourceFixAll"];
    names.forEach((name, index) => (made[keys[index]] = kind(name)));
    made.Empty = made;
    made.SourceOrganizeImports = kind("source.organizeImports");
  }
  return made;
}

// `registerHoverProvider(selector, provider)` keeps the provider as `providers.Hover`; `onDidSaveTextDocument` is an event.
function open(known) {
  return new Proxy(known, {
    get(target, name) {
      if (name in target || typeof name === "symbol") return target[name];
      const register = /^register(\w+?)(Provider)?$/.exec(name);
      if (register) {
        return (...args) => {
          providers[register[1]] = args.find((each) => typeof each === "object" && !Array.isArray(each));
          return new Disposable();
        };
      }
      return /^on[A-Z]/.test(name) ? events[name].event : undefined;
    },
  });
}

for (const part of ["languages", "workspace", "window"]) api[part] = open(api[part]);

/** A class or an enumeration that is only made or compared. */
const vscode = new Proxy(api, {
  get(target, name) {
    if (name in target || typeof name === "symbol" || !/^[A-Z]/.test(name)) return target[name];
    const numbers = new Map();
    const made = class { constructor(...args) { this.args = args; } };
    target[name] = new Proxy(made, {
      get(of, key) {
        if (key in of || typeof key === "symbol" || !/^[A-Z]/.test(key)) return of[key];
        if (!numbers.has(key)) numbers.set(key, numbers.size);
        return numbers.get(key);
      },
    });
    return target[name];
  },
});

/** Open a file in a tab. */
function openFile(path, languageId) {
  const document = new TextDocument(path, languageId);
  documents.push(document);
  api.window.tabGroups.all[0].tabs.push({ input: new TabInputText(document.uri) });
  api.window.activeTextEditor = { document };
  events.onDidOpenTextDocument.fire(document);
  events.onDidChangeTabs.fire({ opened: [1], closed: [], changed: [] });
  events.onDidChangeActiveTextEditor.fire(api.window.activeTextEditor);
  return document;
}

module.exports = { vscode, providers, configuration, diagnostics, openFile };
