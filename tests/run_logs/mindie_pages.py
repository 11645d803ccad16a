"""The published pair of MindIE Benchmark runs: QwQ-32B, 200 requests, concurrency 10, MindIE and options changed."""

# ruff: noqa: E501 - pages as published

BEFORE = """\
[2025-03-18 11:42:57.065+00:00] [35602] [281473348116512] [benchmark] [INFO] [output.py:114]
The BenchMark test performance metric result is:
+---------------------+----------------+----------------+----------------+----------------+----------------+----------------+----------------+-----+
|              Metric |        average |            max |            min |            P75 |            P90 |        SLO_P90 |            P99 |   N |
+---------------------+----------------+----------------+----------------+----------------+----------------+----------------+----------------+-----+
|      FirstTokenTime |    106.8642 ms |    766.6764 ms |     61.2204 ms |     89.4486 ms |     96.8093 ms |     96.8093 ms |    678.2679 ms | 200 |
|          DecodeTime |    272.8685 ms | 240991.5447 ms |     18.9562 ms |       26.88 ms |     29.1581 ms |    507.8787 ms |     44.7554 ms | 200 |
|      LastDecodeTime |     27.3458 ms |     44.6792 ms |     23.6018 ms |     28.1029 ms |      30.421 ms |      30.421 ms |     43.4848 ms | 200 |
|       MaxDecodeTime |  110540.058 ms | 240991.5447 ms |  87634.1462 ms | 113301.1768 ms | 119612.0382 ms | 119612.0382 ms | 215188.2593 ms | 200 |
|        GenerateTime | 122445.6956 ms | 254751.9505 ms |  93431.3636 ms | 125816.2365 ms | 131786.2445 ms | 131786.2445 ms | 228628.2242 ms | 200 |
|         InputTokens |          60.89 |            139 |             25 |           71.0 |           87.2 |           87.2 |         110.05 | 200 |
|     GeneratedTokens |         449.32 |            512 |             70 |          512.0 |          512.0 |          512.0 |          512.0 | 200 |
| GeneratedTokenSpeed | 3.7201 token/s | 4.9928 token/s | 0.5706 token/s | 4.3837 token/s | 4.6082 token/s | 4.6082 token/s | 4.9746 token/s | 200 |
| GeneratedCharacters |       1523.965 |           2367 |            258 |         1832.0 |         1952.0 |         1952.0 |        2154.05 | 200 |
|           Tokenizer |      3.0427 ms |      8.4531 ms |      0.8283 ms |      3.8697 ms |       4.942 ms |       4.942 ms |       6.854 ms | 200 |
|         Detokenizer |      1.0629 ms |      1.3137 ms |      0.2007 ms |      1.2119 ms |      1.2252 ms |      1.2252 ms |      1.2969 ms | 200 |
|  CharactersPerToken |         3.3917 |              / |              / |              / |              / |              / |              / | 200 |
|  PostProcessingTime |           0 ms |           0 ms |           0 ms |           0 ms |           0 ms |           0 ms |           0 ms | 200 |
|         ForwardTime |           0 ms |           0 ms |           0 ms |           0 ms |           0 ms |           0 ms |           0 ms | 200 |
|    PrefillBatchsize |            1.0 |              1 |              1 |            1.0 |            1.0 |            1.0 |            1.0 | 200 |
|    DecoderBatchsize |            1.0 |              1 |              1 |            1.0 |            1.0 |              / |            1.0 | 200 |
|       QueueWaitTime | 246183.0655 μs |   240956110 μs |          11 μs |        46.0 μs |        57.0 μs |           / μs |       92.37 μs | 200 |
+---------------------+----------------+----------------+----------------+----------------+----------------+----------------+----------------+-----+
[2025-03-18 11:42:57.066+00:00] [35602] [281473348116512] [benchmark] [INFO] [output.py:120]
The BenchMark test common metric result is:
+------------------------+------------------------------+
|          Common Metric |                        Value |
+------------------------+------------------------------+
|            CurrentTime |          2025-03-18 11:42:57 |
|            TimeElapsed |                  2502.9557 s |
|             DataSource | /home/work/QwQ-32B/gsm8k-200 |
|                 Failed |                    0( 0.0% ) |
|               Returned |                200( 100.0% ) |
|                  Total |                200[ 100.0% ] |
|            Concurrency |                           10 |
|              ModelName |                      QwQ-32B |
|                   lpct |                     1.755 ms |
|             Throughput |                 0.0799 req/s |
|          GenerateSpeed |              35.9032 token/s |
| GenerateSpeedPerClient |               3.5903 token/s |
|               accuracy |                            / |
+------------------------+------------------------------+
Benchmark task completed successfully!
"""
AFTER = """\
[2025-03-19 08:29:17.778+00:00] [27897] [281473619693600] [benchmark] [INFO] [output.py:114]
The BenchMark test performance metric result is:
+---------------------+-----------------+-----------------+-----------------+-----------------+----------------+----------------+-----------------+-----+
|              Metric |         average |             max |             min |             P75 |            P90 |        SLO_P90 |             P99 |   N |
+---------------------+-----------------+-----------------+-----------------+-----------------+----------------+----------------+-----------------+-----+
|      FirstTokenTime |        97.07 ms |          169 ms |           62 ms |        110.0 ms |       130.1 ms |       130.1 ms |       164.02 ms | 200 |
|          DecodeTime |      29.1162 ms |          212 ms |           24 ms |         29.0 ms |        31.0 ms |     29.9204 ms |         50.0 ms | 200 |
|      LastDecodeTime |       30.005 ms |           99 ms |           26 ms |         30.0 ms |        32.0 ms |        32.0 ms |        90.07 ms | 200 |
|       MaxDecodeTime |       110.82 ms |          212 ms |           42 ms |        123.0 ms |       130.0 ms |       130.0 ms |       184.15 ms | 200 |
|        GenerateTime |    14356.007 ms |     16303.02 ms |     2164.943 ms |   15433.3689 ms |  15628.6762 ms |  15628.6762 ms |   16297.7436 ms | 200 |
|         InputTokens |           60.89 |             139 |              25 |            71.0 |           87.2 |           87.2 |          110.05 | 200 |
|     GeneratedTokens |          482.07 |             512 |              70 |           512.0 |          512.0 |          512.0 |           512.0 | 200 |
| GeneratedTokenSpeed | 33.5801 token/s | 34.9831 token/s | 31.4052 token/s | 34.3461 token/s | 34.453 token/s | 34.453 token/s | 34.7207 token/s | 200 |
|    DecoderBatchsize |          9.7255 |              10 |               1 |            10.0 |           10.0 |              / |            10.0 | 200 |
+---------------------+-----------------+-----------------+-----------------+-----------------+----------------+----------------+-----------------+-----+
[2025-03-19 08:29:17.779+00:00] [27897] [281473619693600] [benchmark] [INFO] [output.py:120]
The BenchMark test common metric result is:
+------------------------+------------------------------+
|          Common Metric |                        Value |
+------------------------+------------------------------+
|            CurrentTime |          2025-03-19 08:29:17 |
|            TimeElapsed |                   294.5528 s |
|             DataSource | /home/work/QwQ-32B/gsm8k-200 |
|                 Failed |                    0( 0.0% ) |
|               Returned |                200( 100.0% ) |
|                  Total |                200[ 100.0% ] |
|            Concurrency |                           10 |
|              ModelName |                      QwQ-32B |
|                   lpct |                    1.5942 ms |
|             Throughput |                  0.679 req/s |
|          GenerateSpeed |             327.3233 token/s |
| GenerateSpeedPerClient |              32.7323 token/s |
|               accuracy |                            / |
+------------------------+------------------------------+
"""
PERF_CSV = """\
FirstTokenTime,DecodeTime,GenerateTime,InputTokens,GeneratedTokens,CharactersPerToken,ForwardTime,QueueWaitTime
97.07 ms,29.1162 ms,14356.007 ms,60.89,482.07,3.421,0 ms,601.6063 μs
169 ms,212 ms,16303.02 ms,139,512,/,0 ms,170470 μs
62 ms,24 ms,2164.943 ms,25,70,/,0 ms,15 μs
110.0 ms,29.0 ms,15433.3689 ms,71.0,512.0,/,0 ms,88.0 μs
130.1 ms,31.0 ms,15628.6762 ms,87.2,512.0,/,0 ms,109.0 μs
130.1 ms,29.9204 ms,15628.6762 ms,87.2,512.0,/,0 ms,/ μs
164.02 ms,50.0 ms,16297.7436 ms,110.05,512.0,/,0 ms,24682.83 μs
200,200,200,200,200,200,200,200
"""
COMMON_CSV = """\
CurrentTime,TimeElapsed,DataSource,Failed,Returned,Total,Concurrency,ModelName,lpct,Throughput,GenerateSpeed,GenerateSpeedPerClient,accuracy
2025-03-19 08:29:17,294.5528 s,/home/work/QwQ-32B/gsm8k-200,0( 0.0% ),200( 100.0% ),200[ 100.0% ],10,QwQ-32B,1.5942 ms,0.679 req/s,327.3233 token/s,32.7323 token/s,/
"""
