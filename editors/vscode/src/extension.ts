import { commands, ExtensionContext, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("cardgen");
  const [command, ...args] = settings.get<string[]>("command", ["cardgen"]);
  client = new LanguageClient(
    "cardgen",
    "cardgen",
    { command, args: [...args, "lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "yaml" },
        { scheme: "file", pattern: "**/*.svg.j2" },
      ],
      initializationOptions: { pictures: settings.get<boolean>("pictures", true) },
    },
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("cardgen.restart", async () => {
      await deactivate();
      await start();
    }),
  );
  await start();
}
