-- Neovim as a test drives it: each line of standard input is a request as JSON, each line of standard output its answer.
-- SERVER is the command of the language server, one word a line; ROOT the folder of the files.

local opened = {}
local client = vim.lsp.start_client({
  name = "sdfviewer",
  cmd = vim.split(os.getenv("SERVER"), "\n"),
  root_dir = os.getenv("ROOT"),
})
vim.cmd("filetype indent off")

local function text(buffer)
  local ends = vim.bo[buffer].fileformat == "dos" and "\r\n" or "\n"
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), ends) .. (vim.bo[buffer].endofline and ends or "")
end

local requests = {}

function requests.open(said)
  vim.cmd("edit " .. vim.fn.fnameescape(said.path))
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].autoindent = false
  vim.lsp.buf_attach_client(buffer, client)
  local started = vim.wait(120000, function()
    local known = vim.lsp.get_client_by_id(client)
    return known and known.initialized and vim.lsp.buf_is_attached(buffer, client)
  end, 10)
  assert(started, "the server does not start")
  opened[said.uri] = buffer
  return text(buffer)
end

-- How positions are counted, which the server and the editor agree on.
function requests.unit()
  return vim.lsp.get_client_by_id(client).offset_encoding
end

-- Deletes a range and presses the keys where it began.
function requests.type(said)
  local buffer = opened[said.uri]
  vim.api.nvim_set_current_buf(buffer)
  local first, last = said.start, said["end"]
  if first.line ~= last.line or first.byte ~= last.byte then
    vim.api.nvim_buf_set_text(buffer, first.line, first.byte, last.line, last.byte, {})
  end
  if said.keys ~= "" then
    local line = vim.api.nvim_buf_get_lines(buffer, first.line, first.line + 1, true)[1]
    vim.api.nvim_win_set_cursor(0, { first.line + 1, first.byte })
    vim.api.nvim_feedkeys((first.byte == #line and "A" or "i") .. said.keys, "nx", false)
  end
  return text(buffer)
end

function requests.ask(said)
  local all, why
  for _ = 1, 12 do -- Neovim asks for diagnostics by itself, too, and cancels an earlier request of that kind
    all, why = vim.lsp.buf_request_sync(opened[said.uri], said.method, said.params, 10000)
    if all then
      break
    end
  end
  assert(all, why)
  local answer = all[client]
  local wrong = answer.error or answer.err
  assert(not wrong, vim.inspect(wrong))
  return answer.result
end

function requests.apply(said)
  vim.lsp.util.apply_workspace_edit(said.edit, requests.unit())
  local texts = {}
  for uri, buffer in pairs(opened) do
    texts[uri] = text(buffer)
  end
  return texts
end

while true do
  local line = io.read("*l")
  if not line then
    break
  end
  local said = vim.json.decode(line)
  local done, answer = pcall(requests[said["do"]], said)
  io.stdout:write(vim.json.encode(done and { result = answer == nil and vim.NIL or answer } or { wrong = tostring(answer) }), "\n")
  io.stdout:flush()
end
vim.lsp.stop_client(client)
vim.cmd("qall!")
