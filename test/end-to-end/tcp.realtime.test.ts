import { describeWay } from './scenes.ts';

describeWay('tcp');
