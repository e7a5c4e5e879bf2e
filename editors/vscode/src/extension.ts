import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { commands, ExtensionContext, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

const OPEN_SETTINGS = "Open settings";
const SHOW_OUTPUT = "Show output";
const output = window.createOutputChannel("cardgen", { log: true });

let client: LanguageClient | undefined;
// Starts and stops, one after the other.
let last: Promise<void> = Promise.resolve();

/** Return the absolute path of a program in PATH: Windows would look in the folder of the project first. */
function findProgram(name: string): string {
  const names = process.platform === "win32" && !name.toLowerCase().endsWith(".exe") ? [`${name}.exe`] : [name];
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const found = isAbsolute(name) ? name : folders.flatMap((folder) => names.map((each) => join(folder, each))).find(existsSync);
  if (found === undefined || !existsSync(found)) {
    throw new Error(`'${name}' was not found; install cardgen, or set cardgen.command to its path`);
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
      outputChannel: output,
    },
  );
  await client.start();
}

async function stop(): Promise<void> {
  const stopping = client;
  client = undefined;
  if (stopping?.isRunning()) {
    await stopping.stop();
  }
}

/** Tell why the server does not run, without waiting for the answer. */
function tell(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  output.error(reason);
  void window.showErrorMessage(`cardgen does not check this workspace: ${reason}`, OPEN_SETTINGS, SHOW_OUTPUT).then((choice) => {
    if (choice === OPEN_SETTINGS) {
      void commands.executeCommand("workbench.action.openSettings", "cardgen");
    } else if (choice === SHOW_OUTPUT) {
      output.show();
    }
  });
}

function restart(): Promise<void> {
  last = last.then(stop).then(start).catch(tell);
  return last;
}

export function deactivate(): Promise<void> {
  last = last.then(stop);
  return last;
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    output,
    commands.registerCommand("cardgen.restart", restart),
    workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("cardgen") ? restart() : undefined)),
  );
  await restart();
}
