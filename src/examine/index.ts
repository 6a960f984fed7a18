/** The examination of a POS: stands in for the bridge, plays what can happen, and says what the POS made of it. */
export { examine } from './examination.ts';
export { findingKinds } from './judge.ts';
export type { Examination, SceneResult } from './examination.ts';
export { isPassed, reportAsJson, reportAsMarkdown, reportAsTable, sceneAsLines, summary } from './report.ts';
export { sceneNames, type SceneName } from './scenes.ts';
