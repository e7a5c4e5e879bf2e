-- Starts 'cardgen lsp' for YAML files and templates below a cardgen.yaml. Copy this file to ~/.config/nvim/plugin/cardgen.lua.
local clients = {}

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
    local config = { name = "cardgen", cmd = { "cardgen", "lsp" }, root_dir = folder, init_options = { pictures = false } }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = event.buf })
    else -- Neovim 0.7
      clients[folder] = clients[folder] or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(event.buf, clients[folder])
    end
  end,
})
