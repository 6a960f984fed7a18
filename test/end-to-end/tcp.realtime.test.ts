import { overTcp } from './real-lines.ts';
import { describeWay } from './scenes.ts';

describeWay(overTcp);
