import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { commands, ExtensionContext, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** Return the absolute path of a program in PATH: Windows would look in the folder of the project first. */
function findProgram(name: string): string {
  const names = process.platform === "win32" && !name.toLowerCase().endsWith(".exe") ? [`${name}.exe`] : [name];
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const found = isAbsolute(name) ? name : folders.flatMap((folder) => names.map((each) => join(folder, each))).find(existsSync);
  if (found === undefined) {
    throw new Error(`'${name}' is not in a folder of PATH; set cardgen.command to its path`);
  }
  return found;
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("cardgen");
  const [command, ...args] = settings.get<string[]>("command", ["cardgen"]);
  client = new LanguageClient(
    "cardgen",
    "cardgen",
    { command: findProgram(command), args: [...args, "lsp"] },
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
