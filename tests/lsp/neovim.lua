-- Opens a file in Neovim with the language server, asks what a user would ask, and writes the answers as JSON.
-- Variables: SERVER (the command, one word a line), FILE, ANSWERS.

local command = vim.split(os.getenv("SERVER"), "\n")
local file = os.getenv("FILE")
local answers = {}

vim.cmd("edit " .. vim.fn.fnameescape(file))
local buffer = vim.api.nvim_get_current_buf()
local published = nil
local client = vim.lsp.start_client({
  name = "sdfviewer",
  cmd = command,
  root_dir = vim.fn.fnamemodify(file, ":h"),
  handlers = {
    ["textDocument/publishDiagnostics"] = function(_, result)
      published = result.diagnostics
    end,
  },
})
vim.lsp.buf_attach_client(buffer, client)

local function wait(condition)
  assert(vim.wait(20000, condition, 20), "nothing arrived")
end

local function request(method, params)
  local all, why = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  assert(all, why)
  local answer = all[client]
  assert(answer and not answer.error, vim.inspect(answer))
  return answer.result
end

local function at(line, column)
  return { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = column } }
end

wait(function()
  return published ~= nil
end)
answers.clean = #published

-- Line 4 (from 0): <frame name="F" attached_to="tip"/>
local place = at(4, vim.api.nvim_buf_get_lines(buffer, 4, 5, true)[1]:find("tip"))
answers.hover = request("textDocument/hover", place).contents.value
local edit = request("textDocument/rename", vim.tbl_extend("force", place, { newName = "hand" }))
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
answers.renamed = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")

published = nil
vim.api.nvim_buf_set_text(buffer, 4, 4, 4, 4, { "" })
local line = vim.api.nvim_buf_get_lines(buffer, 4, 5, true)[1]
vim.api.nvim_buf_set_lines(buffer, 4, 5, true, { (line:gsub("hand", "hnd")) })
wait(function()
  return published ~= nil and #published > 0
end)
answers.problem = published[1].code
local range = published[1].range
local actions = request("textDocument/codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  range = range,
  context = { diagnostics = published, only = { "quickfix" } },
})
answers.action = actions[1].title
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
answers.fixed = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")

local out = io.open(os.getenv("ANSWERS"), "w")
out:write(vim.fn.json_encode(answers))
out:close()
vim.lsp.stop_client(client)
vim.cmd("qall!")
