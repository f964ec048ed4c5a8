-- A session in Neovim: what a user does with two files, one of which includes the other, and a window beside the editor.
-- Variables: SERVER (the command, one word a line), ARM and WORLD (the files), ANSWERS (where the answers go, as JSON).

local answers = {}
local published = {}
local capabilities = vim.lsp.protocol.make_client_capabilities()
capabilities.workspace.inlayHint = { refreshSupport = true }

local client = vim.lsp.start_client({
  name = "sdfviewer",
  cmd = vim.split(os.getenv("SERVER"), "\n"),
  root_dir = vim.fn.fnamemodify(os.getenv("ARM"), ":h"),
  capabilities = capabilities,
  handlers = {
    ["textDocument/publishDiagnostics"] = function(...)
      local result = select(2, ...)
      published[result.uri] = result.diagnostics
      vim.lsp.diagnostic.on_publish_diagnostics(...)
    end,
  },
})

local function open(path)
  vim.cmd("edit " .. vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client)
  return buffer, vim.uri_from_bufnr(buffer)
end

local function wait(what, condition)
  assert(vim.wait(40000, condition, 20), "nothing arrived: " .. what)
end

local function request(buffer, method, params)
  local all, why = vim.lsp.buf_request_sync(buffer, method, params, 40000)
  assert(all, why)
  local answer = all[client]
  assert(answer and not answer.error, method .. ": " .. vim.inspect(answer))
  return answer.result
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
end

-- Puts the cursor behind a piece of text and returns its place as the protocol counts it.
local function go(buffer, piece)
  vim.api.nvim_set_current_buf(buffer)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    local _, last = line:find(piece, 1, true)
    if last then
      vim.api.nvim_win_set_cursor(0, { number, last - 1 })
      return vim.lsp.util.make_position_params(0, "utf-16")
    end
  end
  error("there is no " .. piece)
end

local world, world_uri = open(os.getenv("WORLD"))
local arm, arm_uri = open(os.getenv("ARM"))
wait("diagnostics", function()
  return published[arm_uri] ~= nil and published[world_uri] ~= nil
end)
answers.clean = #published[arm_uri] + #published[world_uri]

-- A broken relative_to is seen while it is typed ...
local before = text(arm)
go(arm, 'relative_to="base')
vim.cmd("normal! ax")
wait("problem", function()
  return #published[arm_uri] > 0
end)
answers.problem = published[arm_uri][1].code
answers.page = published[arm_uri][1].codeDescription.href

-- ... and fixed by a code action.
local problem = published[arm_uri][1]
local actions = request(arm, "textDocument/codeAction", {
  textDocument = { uri = arm_uri },
  range = problem.range,
  context = { diagnostics = { problem }, only = { "quickfix" } },
})
for _, action in ipairs(actions) do
  if action.isPreferred then
    answers.action = action.title
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  end
end
answers.restored = text(arm) == before

-- The frame is renamed in both files.
local place = go(arm, 'name="gras')
vim.lsp.util.apply_workspace_edit(
  request(arm, "textDocument/rename", vim.tbl_extend("force", place, { newName = "hold" })),
  "utf-16"
)
answers.renamed = { text(arm):find('name="hold"', 1, true) ~= nil, text(world):find("robot::hold", 1, true) ~= nil }

-- Its resolved pose is read in a hint. Neovim 0.7 draws none, so the answer itself is looked at.
local last = vim.api.nvim_buf_line_count(arm)
answers.hints = {}
for _, hint in ipairs(request(arm, "textDocument/inlayHint", {
  textDocument = { uri = arm_uri },
  range = { start = { line = 0, character = 0 }, ["end"] = { line = last, character = 0 } },
})) do
  table.insert(answers.hints, hint.label)
end
answers.hover = request(arm, "textDocument/hover", go(arm, 'name="hol')).contents.value

-- The window is opened on it, and the frame dragged there.
local unmoved = text(arm)
answers.opened = request(arm, "workspace/executeCommand", {
  command = "sdfviewer.open",
  arguments = { arm_uri, "arm::hold" },
})
wait("the edit of the window", function()
  return text(arm) ~= unmoved
end)
vim.cmd("silent wall")

local out = io.open(os.getenv("ANSWERS"), "w")
out:write(vim.fn.json_encode(answers))
out:close()
vim.lsp.stop_client(client)
vim.cmd("qall!")
