import { describeWay } from './scenes.ts';

describeWay('memory');
