-- Starts 'cardgen lsp' for YAML files below a cardgen.yaml. Copy this file to ~/.config/nvim/plugin/cardgen.lua.
vim.api.nvim_create_autocmd("FileType", {
  pattern = "yaml",
  callback = function(event)
    local settings = vim.fs.find("cardgen.yaml", { upward = true, path = vim.fs.dirname(event.file) })[1]
    if settings then
      vim.lsp.start({
        name = "cardgen",
        cmd = { "cardgen", "lsp" },
        root_dir = vim.fs.dirname(settings),
        init_options = { pictures = false },
      })
    end
  end,
})
