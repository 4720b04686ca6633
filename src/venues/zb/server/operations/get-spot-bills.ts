import { successBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import {
  currency,
  date,
  defaulting,
  invalid,
  oneOf,
  optional,
  optionalWord,
  pageIndex,
  pageSize,
} from '../parameters.ts';
import { renderBill } from '../render/funds.ts';

/** Lists changes of the spot account, newest first: those of the last 48 hours, or older ones. */
export const getSpotBills = signedOperation({
  name: 'getSpotBills',
  permission: 'assets',
  parameters: {
    currency: optionalWord(currency),
    startDate: optional(date),
    endDate: optional(date),
    dataType: defaulting(oneOf(['0', '1']), '0'),
    pageIndex,
    // Source: contract, Limits.
    pageSize: pageSize(10, 50),
  },
  handle: (values, { exchange }) => {
    const { startDate: startTime, endDate } = values;
    // A written time means the whole second, also at the end of the span.
    const endTime = endDate === undefined ? undefined : endDate + 999;
    if (startTime !== undefined && endTime !== undefined && startTime > endTime) {
      invalid('startDate', 'a time before endDate');
    }
    return exchange.funds.bills({
      ...{ currency: values.currency, startTime, endTime },
      older: values.dataType === '1',
      page: values.pageIndex,
      pageSize: values.pageSize,
    });
  },
  render: (bills, { dialect }) =>
    successBody(dialect, `"result":[${bills.map(renderBill).join(',')}]`),
});
