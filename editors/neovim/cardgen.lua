-- Starts 'cardgen lsp' for YAML files and templates below a cardgen.yaml. Copy this file to ~/.config/nvim/plugin/cardgen.lua.
local clients = {}

-- Return the path of cardgen in a folder of PATH: with other entries, and on Windows, a program in a project would be run.
local function program()
  local is_windows = vim.fn.has("win32") == 1
  local separator, name = is_windows and ";" or ":", is_windows and "cardgen.exe" or "cardgen"
  for folder in (vim.env.PATH or ""):gmatch("[^" .. separator .. "]+") do
    local path = folder .. "/" .. name
    if (folder:match("^/") or folder:match("^%a:[/\\]")) and vim.fn.executable(path) == 1 then
      return path
    end
  end
end

local function project_of(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  if vim.fs then
    local settings = vim.fs.find("cardgen.yaml", { upward = true, path = folder })[1]
    return settings and vim.fs.dirname(settings)
  end
  local settings = vim.fn.findfile("cardgen.yaml", vim.fn.escape(folder, " ,;*?[{\\") .. ";")
  return settings ~= "" and vim.fn.fnamemodify(settings, ":p:h")
end

vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
  pattern = { "*.yaml", "*.yml", "*.svg.j2" },
  callback = function(event)
    local folder = project_of(event.match)
    if not folder then
      return
    end
    local command = program()
    if not command then
      return vim.notify_once("cardgen is in no folder of PATH", vim.log.levels.WARN)
    end
    local config = { name = "cardgen", cmd = { command, "lsp" }, root_dir = folder, init_options = { pictures = false } }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = event.buf })
    else -- Neovim 0.7
      clients[folder] = clients[folder] or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(event.buf, clients[folder])
    end
  end,
})
