/** Where the app keeps data, and where its own files are. */
import path from 'node:path';
import { makeFolders } from '../base/private-files.ts';
import { type ConfigurationSources, dataDirOf, defaultDataDir } from '../host/index.ts';

export interface Places {
  /** Settings, tokens and journals: the same folder that the command line uses. */
  dataDir: string;
  /** What Electron itself keeps (caches, the lock of the one instance). */
  electronFolder: string;
  /** What the app remembers of its window. */
  memoryFile: string;
  /** What ended the app before this start. */
  faultNoteFile: string;
  /** Whether windows are drawn by the graphics card. */
  graphicsFile: string;
  rendererFolder: string;
  preloadFile: string;
  /** What the process of the bridge runs. */
  bridgeFile: string;
  /** Reports of faults, and the system's own crash dumps. */
  crashFolder: string;
  trayIconFolder: string;
  /** A provision file of the whole computer, which need not exist; null: none is looked for. */
  provisionFile: string | null;
}

/** Variables that steer the app and are no settings of the bridge. */
const devPageVariable = 'TILLBRIDGE_DEV_PAGE';
const devToolsVariable = 'TILLBRIDGE_DEVTOOLS';
const provisionVariable = 'TILLBRIDGE_PROVISION';
const ownVariables = [devPageVariable, devToolsVariable, provisionVariable];

/** Where settings come from besides the window. An app has no command line, so there are no flags. */
export function settingSources(environment: NodeJS.ProcessEnv, currentFolder: string): ConfigurationSources {
  const settings = Object.entries(environment).filter(([name]) => !ownVariables.includes(name));
  return {
    flags: {},
    configFile: null,
    environment: Object.fromEntries(settings),
    currentFolder,
    defaultDataDir: defaultDataDir(),
  };
}

/** Makes the folders. When the configuration names none that can be used, the host says so; the app has its default. */
export function findPlaces(
  sources: ConfigurationSources,
  appFolder: string,
  provisionFile: string | null,
): Places {
  const named = dataDirOf({ ...sources, dataDir: null });
  const dataDir = named.ok ? named.dataDir : sources.defaultDataDir;
  const electronFolder = path.join(dataDir, 'electron');
  makeFolders(electronFolder);
  return {
    dataDir,
    electronFolder,
    memoryFile: path.join(electronFolder, 'window.json'),
    faultNoteFile: path.join(electronFolder, 'fault.json'),
    graphicsFile: path.join(electronFolder, 'graphics.json'),
    rendererFolder: path.join(import.meta.dirname, 'renderer'),
    preloadFile: path.join(import.meta.dirname, 'preload.cjs'),
    bridgeFile: path.join(import.meta.dirname, 'bridge.js'),
    crashFolder: path.join(dataDir, 'crashes'),
    trayIconFolder: path.join(appFolder, 'build', 'tray'),
    provisionFile,
  };
}

/** What tells where an installer puts the provision file of the whole computer. */
export interface Installation {
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** The folder with the program's archive, where only administrators write. */
  resourcesFolder: string;
}

/** `TILLBRIDGE_PROVISION` names another; empty, it is none. An app that is run from its sources has no installer. */
export function provisionFileOf(installation: Installation): string | null {
  const { environment, platform, isPackaged, resourcesFolder } = installation;
  const named = environment[provisionVariable];
  if (named !== undefined) return named === '' ? null : path.resolve(named);
  if (!isPackaged) return null;
  if (platform === 'win32') return path.win32.join(resourcesFolder, 'provision.json');
  if (platform === 'darwin') return '/Library/Application Support/Tillbridge/provision.json';
  return '/etc/tillbridge/provision.json';
}

/**
 * The page of a development server, which `TILLBRIDGE_DEV_PAGE` names; null for the built page. An installed app never
 * loads one, and nobody loads one from another computer.
 */
export function devPage(environment: NodeJS.ProcessEnv, isPackaged: boolean): URL | null {
  const text = environment[devPageVariable] ?? '';
  if (isPackaged || !URL.canParse(text)) return null;
  const page = new URL(text);
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(page.hostname);
  return isLoopback && page.protocol === 'http:' ? page : null;
}

/** Developer tools belong to development; `--devtools`, or `TILLBRIDGE_DEVTOOLS=1`, has them in an installed app too. */
export function hasDevTools(
  environment: NodeJS.ProcessEnv,
  isPackaged: boolean,
  commandLine: readonly string[] = process.argv,
): boolean {
  return !isPackaged || environment[devToolsVariable] === '1' || commandLine.includes('--devtools');
}
