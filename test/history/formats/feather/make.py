# How the files beside it were made: `python make.py`, with pyarrow 26, pandas 3.1 and polars 2.1.
# As freqtrade writes its candles and trades, and others their frames.
import datetime as dt
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather

START = 1_700_000_040_000
times = [START + 60_000 * minute for minute in range(3)]
prices = {"open": [1.1, 2.2, 0.1], "high": [3.3, 3.3, 0.7], "low": [0.3, 1.1, 0.1], "close": [2.2, 2.5, 0.7]}
candles = {**prices, "volume": [10.25, 0.00001, 123456.789]}

dates = pd.to_datetime(times, unit="ms", utc=True)
frame = pd.DataFrame({"date": dates.astype("datetime64[ms, UTC]"), **candles})
frame.to_feather("BTC_USDT-1m.feather")
frame.to_feather("BTC_USDT_USDT-1m-mark.feather", compression="zstd")
frame.to_feather("BTC_USDT_USDT-1m-funding_rate.feather", compression="uncompressed")

index = pd.DataFrame(candles, index=dates.astype("datetime64[ns, UTC]"))
feather.write_feather(pa.Table.from_pandas(index), "index-btcusdt.feather")

trades = {"timestamp": times, "id": ["7", "8", "9"], "type": [None] * 3, "side": ["buy", "sell", "buy"]}
trades |= {"price": [100.5, 100.4, 100.1], "amount": [2.0, 3.0, 0.1], "cost": [201.0, 301.2, 10.01]}
pd.DataFrame(trades).astype({"type": object}).to_feather("BTC_USDT-trades.feather")

odd = pa.table({
    "When": pa.array(["2023-11-14 22:14", "2023-11-14 22:15", "2023-11-14 22:16"]).dictionary_encode(),
    "First": pa.array([Decimal("1.10"), Decimal("2.20"), Decimal("0.10")], pa.decimal128(10, 2)),
    "Top": pa.array([3.3, 3.3, 0.7], pa.float32()),
    "Bottom": pa.array([0.3, 1.1, 0.1], pa.float32()),
    "Last": pa.array([2, 3, 1], pa.int32()),
    "Tags": pa.array([["a"], [], ["b"]]),
})
feather.write_feather(odd, "odd.feather")

polars = {"time": [dt.datetime(2023, 11, 14, 22, 14 + minute) for minute in range(3)], **candles}
polars |= {"note": ["a text that is longer than a view holds"] * 3}
polars |= {"symbol": pl.Series(["BTC/USDT"] * 3, dtype=pl.Categorical)}
pl.DataFrame(polars).write_ipc("polars.arrow", compression="lz4")
