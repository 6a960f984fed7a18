import { describeWay } from './scenes.ts';
import { inMemory } from './way.ts';

describeWay(inMemory());
