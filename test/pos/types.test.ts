/** The client's types, written by hand, are those of the bridge's own schemas. */
import { expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { errorCodes, type ErrorCode as ContractCode } from '../../src/contract/errors.ts';
import {
  queryPaymentResponseSchema,
  type Batch as ContractBatch,
  type OpenDiscrepancy,
  type Receipt as ContractReceipt,
} from '../../src/contract/http-commands.ts';
import type { TransactionStatus as ContractStatus } from '../../src/contract/operation.ts';
import type {
  Batch,
  Discrepancy,
  ErrorCode,
  Payment,
  Receipt,
  TransactionStatus,
} from '../../src/pos/index.ts';

type Answer = z.infer<typeof queryPaymentResponseSchema>;

it('a till gets what the bridge sends', () => {
  expect(errorCodes.length).toBeGreaterThan(0);
  expectTypeOf<ErrorCode>().toEqualTypeOf<ContractCode>();
  expectTypeOf<TransactionStatus>().toEqualTypeOf<ContractStatus>();
  // The bridge's own are narrower: a later version may have more kinds, schemes and currencies.
  expectTypeOf<ContractReceipt>().toExtend<Receipt>();
  expectTypeOf<keyof Receipt>().toEqualTypeOf<keyof ContractReceipt>();
  expectTypeOf<ContractBatch>().toExtend<Batch>();
  expectTypeOf<keyof Batch>().toEqualTypeOf<keyof ContractBatch>();
  expectTypeOf<OpenDiscrepancy>().toExtend<Discrepancy>();
  expectTypeOf<keyof Discrepancy>().toEqualTypeOf<keyof OpenDiscrepancy>();
  expectTypeOf<Answer>().toExtend<Payment>();
  expectTypeOf<keyof Payment>().toEqualTypeOf<Exclude<keyof Answer, 'success'>>();
});
