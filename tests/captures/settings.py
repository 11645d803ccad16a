"""The settings files of a PROF directory, in the spelling, order and types of two generations.

"2026" is the collector of 910B (131 keys of sample.json); "310b-2024" is another build (100 keys).
"""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from .formats import date_text, write_text
from .plan import Chip, Dice

Generation = Literal["2026", "310b-2024"]
Json = dict[str, Any]

AIC_EVENTS = "0x416,0x417,0x9,0x302,0xc,0x303,0x54,0x55"
AIV_EVENTS = "0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55"
EXE_EVENTS = "0x12c,0x49,0x4a,0x9,0x302,0xc,0xd,0x303"
DATE_SLIP_2026_NS = 418_337_000
"""The date strings of 2026 disagree with collectionTime* below the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Machine, process and moment of one collection."""

    host: str
    """Host name."""
    pid: int
    """Process under test."""
    device: int
    """Host-visible device id."""
    chip: Chip
    """Device."""
    begin_ns: int
    """Start of the collection, ns since 1970."""
    end_ns: int | None
    """End; None = it never ended (no end_info)."""
    offset_s: int
    """Local time minus UTC."""
    boot_ns: int
    """Monotonic clock at the start."""
    folder: str
    """Absolute path of the PROF directory on that machine."""
    app: str = "python3"
    """Name of the process."""
    memory_kb: int = 1_583_211_040
    """memoryTotal of the host."""
    cpu_cores: int = 192
    """Logical cores of the host."""
    sample: Mapping[str, object] = field(default_factory=dict)
    """Overrides of sample.json, host and device alike."""
    info: Mapping[str, object] = field(default_factory=dict)
    """Overrides of info.json, host and device alike."""
    device_info: Mapping[str, object] = field(default_factory=dict)
    """Overrides of DeviceInfo[0]."""


def sample_2026(level: int) -> Json:
    """sample.json of 910B collectors, level 0 or 1; identities left empty."""
    return {
        "hostAllPidMemProfiling": "off",
        "hostProfilingSamplingInterval": 20,
        "hostSysUsage": "",
        "qosEvents": "",
        "qosProfiling": "",
        "runtimeApi": "off",
        "aicore_sampling_interval": 10,
        "dvpp_sampling_interval": 20,
        "aicpuTrace": "",
        "aiv_sampling_interval": 10,
        "ccuInstr": "off",
        "host_mem_profiling": "off",
        "host_osrt_profiling": "off",
        "hostProfiling": True,
        "hostAllPidCpuProfiling": "off",
        "acl": "on",
        "io_sampling_interval": 10,
        "host_network_profiling": "off",
        "nicProfiling": "off",
        "ts_cpu_hot_function": "",
        "instrProfilingFreq": 1000,
        "ai_core_profiling_metrics": "",
        "dvpp_profiling": "off",
        "ubProfiling": "off",
        "interconnection_sampling_interval": 20,
        "l2CacheTaskProfilingEvents": "",
        "sys_sampling_interval": 100,
        "cpu_sampling_interval": 20,
        "ai_core_profiling_mode": "task-based",
        "devices": "64",
        "runtimeTrace": "on",
        "app_parameters": "",
        "host_cpu_profiling": "off",
        "interconnection_profiling": "off",
        "pcieProfiling": "",
        "npuEvents": "",
        "ts_memcpy": "on",
        "memServiceflow": "",
        "sys_profiling": "off",
        "ai_core_status": "",
        "profiling_options": "",
        "pcSampling": "off",
        "hcclTrace": "",
        "mstxDomainInclude": "",
        "roceProfiling": "off",
        "aiCtrlCpuProfiling": "off",
        "tsCpuProfiling": "off",
        "pureCpu": "off",
        "hardware_mem_sampling_interval": 20000,
        "io_profiling": "off",
        "cpu_profiling": "off",
        "instrProfiling": "",
        "host_sys": "",
        "app_dir": "",
        "memProfiling": "off",
        "ts_cpu_profiling_events": "",
        "storageLimit": "",
        "hscb": "off",
        "taskBlockShink": "",
        "result_dir": "",
        "profiling_mode": "",
        "llc_interval": 20,
        "jobInfo": "",
        "hwts_log1": "",
        "pid_sampling_interval": 100,
        "aiv_profiling_metrics": "",
        "aiv_profiling_events": AIV_EVENTS,
        "aiv_profiling_mode": "task-based",
        "hardware_mem": "off",
        "msprof": "off",
        "mstxDomainExclude": "",
        "ai_core_profiling_events": AIC_EVENTS,
        "hccsProfiling": "off",
        "taskTrace": "on",
        "msprof_llc_profiling": "",
        "prof_level": f"level{level}",
        "ai_core_profiling": "on",
        "app_env": "",
        "geApi": "off",
        "taskMemory": "off",
        "memInterval": 20,
        "ts_keypoint": "on",
        "job_id": "64",
        "app_location": "",
        "app": "",
        "ai_core_lpm": "on",
        "ubInterval": 20,
        "aiv_profiling": "on",
        "hbmProfiling": "",
        "ts_task_track": "",
        "ai_core_metrics": "PipeUtilizationExct",
        "ts_fw_training": "",
        "ts_cpu_usage": "",
        "taskTime": "on" if level else "l0",
        "ts_timeline": "",
        "stars_acsq_task": "on",
        "ai_vector_status": "",
        "sysLp": "on",
        "taskTsfw": "off",
        "ts_task_time": "",
        "hwts_log": "",
        "l2CacheTaskProfiling": "",
        "profiling_period": -1,
        "hccsInterval": 20,
        "ai_ctrl_cpu_profiling_events": "",
        "nicInterval": 10,
        "taskBlock": "",
        "aiv_metrics": "PipeUtilization",
        "pcieInterval": 20,
        "isCancel": False,
        "roceInterval": 10,
        "appMemProfiling": "on",
        "pid_profiling": "off",
        "llc_profiling": "read",
        "llc_profiling_events": "read",
        "durationTime": "",
        "ddr_profiling": "",
        "ddr_interval": 20,
        "msprofBinPid": 0,
        "ddr_master_id": 0,
        "hbm_profiling_events": "",
        "hbmInterval": 20,
        "ddr_profiling_events": "",
        "host_sys_pid": 0,
        "host_disk_profiling": "off",
        "msproftx": "off",
        "host_disk_freq": 50,
        "sysLpFreq": 10000,
        "aicScale": "all",
        "profMode": "",
        "delayTime": "",
    }


def sample_310b(level: int) -> Json:
    """sample.json of the 310B collector of 2024 (`profLevel`); identities left empty."""
    return {
        "aiCtrlCpuProfiling": "off",
        "ai_core_metrics": "PipelineExecuteUtilization",
        "ai_core_profiling": "on",
        "ai_core_profiling_events": EXE_EVENTS,
        "ai_core_profiling_mode": "task-based",
        "ai_ctrl_cpu_profiling_events": "",
        "aicore_sampling_interval": 10,
        "aiv_metrics": "PipelineExecuteUtilization",
        "aiv_profiling": "on",
        "aiv_profiling_events": EXE_EVENTS,
        "aiv_profiling_mode": "task-based",
        "aiv_sampling_interval": 10,
        "app": "",
        "app_dir": "",
        "app_env": "",
        "app_parameters": "",
        "cmdPath": "",
        "cpu_profiling": "off",
        "cpu_sampling_interval": 20,
        "dataTypeConfig": 13835058058033629255,
        "ddr_interval": 20,
        "ddr_master_id": 0,
        "ddr_profiling": "",
        "ddr_profiling_events": "",
        "delayTime": "",
        "devices": "64",
        "durationTime": "",
        "dvpp_profiling": "off",
        "dvpp_sampling_interval": 20,
        "hardware_mem": "off",
        "hardware_mem_sampling_interval": 20,
        "hbmInterval": 20,
        "hbmProfiling": "",
        "hbm_profiling_events": "",
        "hccsInterval": 20,
        "hccsProfiling": "off",
        "host_all_pid_cpu_profiling": "off",
        "host_all_pid_mem_profiling": "off",
        "host_cpu_profiling_sampling_interval": 20,
        "host_disk_freq": 50,
        "host_disk_profiling": "off",
        "host_mem_profiling_sampling_interval": 20,
        "host_network_profiling": "off",
        "host_one_pid_cpu_profiling": "off",
        "host_one_pid_mem_profiling": "off",
        "host_osrt_profiling": "off",
        "host_profiling": 1,
        "host_sys": "",
        "host_sys_cpu_profiling": "off",
        "host_sys_mem_profiling": "off",
        "host_sys_pid": 0,
        "host_sys_usage": "",
        "hwts_log": "",
        "hwts_log1": "",
        "instr_profiling": "off",
        "instr_profiling_freq": 1000,
        "interconnection_profiling": "off",
        "interconnection_sampling_interval": 20,
        "io_profiling": "off",
        "io_sampling_interval": 10,
        "is_cancel": 0,
        "jobInfo": "",
        "job_id": "64",
        "l2CacheTaskProfiling": "",
        "l2CacheTaskProfilingEvents": "",
        "llc_interval": 20,
        "llc_profiling": "read",
        "llc_profiling_events": "read",
        "low_power": "",
        "modelLoad": "",
        "msprof": "off",
        "msprofBinPid": 0,
        "msprof_llc_profiling": "",
        "msproftx": "off",
        "nicInterval": 10,
        "nicProfiling": "off",
        "npuAppMemProfiling": "on",
        "npuModuleMemProfiling": "on",
        "pcieInterval": 20,
        "pcieProfiling": "",
        "pid_profiling": "off",
        "pid_sampling_interval": 100,
        "profLevel": f"l{level}",
        "profiling_mode": "def_mode",
        "profiling_options": "",
        "profiling_period": -1,
        "result_dir": "",
        "roceInterval": 10,
        "roceProfiling": "off",
        "stars_acsq_task": "on",
        "storageLimit": "21766MB",
        "stream_enabled": "on",
        "sys_profiling": "off",
        "sys_sampling_interval": 100,
        "tsCpuProfiling": "off",
        "ts_cpu_profiling_events": "",
        "ts_fw_training": "",
        "ts_keypoint": "on",
        "ts_memcpy": "on",
        "ts_timeline": "",
    }


def _device_2026(site: Site) -> Json:
    chip = site.chip
    return {
        "aic_frequency": str(chip.aic_frequency),
        "ai_cpu": "2,3,4,5,6",
        "env_type": 3,
        "ctrl_cpu_id": "ARMv8_Cortex_A55",
        "ctrl_cpu_core_num": 1,
        "ai_core_id": 0,
        "ctrl_cpu": "0",
        "aiv_frequency": str(chip.aic_frequency),
        "ctrl_cpu_endian_little": 1,
        "hwts_frequency": f"{chip.clock_hz // 10**6}.{chip.clock_hz % 10**6:06d}",
        "id": site.device,
        "ts_cpu_core_num": 0,
        "ai_cpu_core_num": 6,
        "ai_core_num": chip.ai_core_num,
        "aiv_num": chip.aiv_num,
        "ai_cpu_core_id": 2,
        "aicpu_occupy_bitmap": 252,
        **site.device_info,
    }


def _info_2026(site: Site, device: bool) -> Json:
    return {
        "cpuCores": 1,
        "cpuNums": site.cpu_cores,
        "memoryTotal": site.memory_kb,
        "DeviceInfo": [_device_2026(site)] if device else [],
        "netCard": [{"speed": 25000, "netCardName": "enp67s0f0"}],
        "drvVersion": 467992,
        "CPU": [
            {
                "Type": "",
                "Frequency": "100.000000",
                "Name": "HiSilicon",
                "Logical_CPU_Count": str(site.cpu_cores),
                "Id": 0,
            }
        ],
        "netCardNums": 0,
        "jobInfo": "NA",
        "rank_id": -1,
        "OS": "Linux-5.10.0-216.0.0.115.aarch64-#1 SMP Thu Jun 27 15:22:10 CST 2024",
        "version": "1.0",
        "pid_name": site.app,
        "platform_version": site.chip.platform_version,
        "hostname": site.host,
        "upTime": _up_time(site, device),
        "hwtype": "aarch64",
        "devices": str(site.device) if device else "",
        "sysClockFreq": 100,
        "platform": "",
        "pid": str(site.pid),
        **site.info,
    }


def _up_time(site: Site, device: bool) -> str:
    hundredths = site.boot_ns // 10**7 + 137 + int(device)
    idle = hundredths * site.cpu_cores * 99 // 100
    return f"{hundredths // 100}.{hundredths % 100:02d} {idle // 100}.{idle % 100:02d}"


def _info_310b(site: Site, device: bool) -> Json:
    chip = site.chip
    frequency = f"{chip.clock_hz // 10**6}.{chip.clock_hz % 10**6:06d}"
    return {
        "jobInfo": "NA",
        "version": "1.0",
        "mac": "02-00-5e-10-00-07",
        "OS": "Linux-5.10.0+-#1 SMP Tue Mar 12 09:04:41 CST 2024",
        "cpuCores": 1,
        "hostname": site.host,
        "hwtype": "aarch64",
        "devices": str(site.device) if device else "",
        "platform": "",
        "CPU": [{"Id": 0, "Name": "", "Frequency": frequency, "Logical_CPU_Count": 1, "Type": ""}],
        "DeviceInfo": [
            {
                "id": site.device,
                "env_type": 3,
                "ctrl_cpu_id": "ARMv8_Cortex_A55",
                "ctrl_cpu_core_num": 3,
                "ctrl_cpu_endian_little": 1,
                "ts_cpu_core_num": 1,
                "ai_cpu_core_num": 1,
                "ai_core_num": chip.ai_core_num,
                "ai_cpu_core_id": 3,
                "ai_core_id": 0,
                "aicpu_occupy_bitmap": 8,
                "ctrl_cpu": "0,1,2",
                "ai_cpu": "3",
                "aiv_num": chip.aiv_num,
                "hwts_frequency": frequency,
                "aic_frequency": str(chip.aic_frequency),
                "aiv_frequency": str(chip.aic_frequency),
                **site.device_info,
            }
        ]
        if device
        else [],
        "platform_version": chip.platform_version,
        "pid": str(site.pid),
        "memoryTotal": site.memory_kb,
        "cpuNums": site.cpu_cores,
        "sysClockFreq": 100,
        "upTime": _up_time(site, device),
        "netCardNums": 0,
        "netCard": [{"netCardName": "eth0", "speed": 1000}],
        "rank_id": -1,
        "cycleToTime": [{"realCpuFreq": 0.048000317052119254, "calibration": "4210337911"}],
        "pid_name": site.app,
        "drvVersion": 466701,
        **site.info,
    }


def _moment(site: Site, generation: Generation, shift_ns: int, ends: bool) -> Json:
    """start_info or end_info: five keys in 2026 (two of them empty), three on the 310B of 2024."""
    time_ns = (site.end_ns if ends and site.end_ns is not None else site.begin_ns) + shift_ns
    raw = str(site.boot_ns + time_ns - site.begin_ns)
    microseconds = str(time_ns // 1000)
    if generation == "310b-2024":
        which = "End" if ends else "Begin"
        date = date_text(time_ns, site.offset_s)
        return {f"collectionDate{which}": date, f"collectionTime{which}": microseconds, "clockMonotonicRaw": raw}
    date = date_text(time_ns + DATE_SLIP_2026_NS, site.offset_s)
    return {
        "clockMonotonicRaw": raw,
        "collectionTimeEnd": microseconds if ends else "",
        "collectionTimeBegin": "" if ends else microseconds,
        "collectionDateEnd": date if ends else "",
        "collectionDateBegin": "" if ends else date,
    }


def compact(value: object) -> str:
    """One line without blanks, as the collector dumps its structs."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _sample(site: Site, generation: Generation, level: int, place: str) -> Json:
    device = place != "host"
    values = sample_2026(level) if generation == "2026" else sample_310b(level)
    values["app"] = site.app
    values |= site.sample
    values["devices"] = values["job_id"] = str(site.device) if device else "64"
    values["result_dir"] = f"{site.folder}/{place}/"
    values["msprofBinPid"], values["host_sys_pid"] = site.pid - 3, site.pid
    if generation == "2026":
        values["hostProfiling"] = not device
    else:
        values["host_profiling"] = int(not device)
        values["cmdPath"] = values["cmdPath"] or f"{values['app_dir']}/{values['app']}"
    return values


def write_settings(prof: Path, site: Site, generation: Generation, level: int) -> None:
    """Write host/ and device_N/ of a PROF directory: settings and clocks, no raw data.

    Args:
        prof: The PROF directory.
        site: Machine, process, moment; `end_ns` None leaves both end_info out.
        generation: Which collector.
        level: 0 or 1.
    """
    info = _info_2026 if generation == "2026" else _info_310b
    for place, suffix, late, early in (
        ("host", "", 0, 0),
        (f"device_{site.device}", f".{site.device}", 1_743_000, 96_211_000),
    ):
        folder, device = prof / place, bool(suffix)
        write_text(folder / "sample.json", compact(_sample(site, generation, level, place)))
        write_text(folder / f"info.json{suffix}", compact(info(site, device)))
        write_text(folder / f"start_info{suffix}", compact(_moment(site, generation, late, ends=False)))
        if site.end_ns is not None:
            write_text(folder / f"end_info{suffix}", compact(_moment(site, generation, -early, ends=True)))
        _write_clocks(folder, suffix, site, late)


def _write_clocks(folder: Path, suffix: str, site: Site, late_ns: int) -> None:
    """host_start.log and, for a device, dev_start.log: pairs of clocks."""
    title = f"Device{site.device}" if suffix else "Host"
    raw = site.boot_ns + late_ns + 257_310
    text = f"[{title}]\nclock_monotonic_raw: {raw}\ncntvct: {raw // 10 + 83_113}\ncntvct_diff: 0\n"
    write_text(folder / f"host_start.log{suffix}", text)
    if suffix:
        raw -= 1_204_770 + Dice(site.pid).below(10**6)
        write_text(folder / f"dev_start.log{suffix}", f"clock_monotonic_raw: {raw}\ncntvct: {raw // 20}\n")
