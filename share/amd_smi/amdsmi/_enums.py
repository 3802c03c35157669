# SPDX-License-Identifier: MIT
"""Enumerations of AMD SMI as ROCm 6.3 names them; values are those of amdsmi.h."""
from enum import IntEnum


class AmdSmiInitFlags(IntEnum):
    INIT_ALL_PROCESSORS = 0xFFFFFFFF
    INIT_AMD_CPUS = 1
    INIT_AMD_GPUS = 2
    INIT_AMD_APUS = 3


class AmdSmiTemperatureType(IntEnum):
    EDGE = 0
    HOTSPOT = 1
    JUNCTION = 1
    VRAM = 2
    HBM_0 = 3
    HBM_1 = 4
    HBM_2 = 5
    HBM_3 = 6
    PLX = 7


AmdSmiTemperatureMetric = IntEnum("AmdSmiTemperatureMetric", (
    "CURRENT MAX MIN MAX_HYST MIN_HYST CRITICAL CRITICAL_HYST EMERGENCY EMERGENCY_HYST CRIT_MIN CRIT_MIN_HYST OFFSET LOWEST HIGHEST"), start=0)


class AmdSmiClkType(IntEnum):
    SYS = 0
    GFX = 0
    DF = 1
    DCEF = 2
    SOC = 3
    MEM = 4
    PCIE = 5
    VCLK0 = 6
    VCLK1 = 7
    DCLK0 = 8
    DCLK1 = 9


class AmdSmiMemoryType(IntEnum):
    VRAM = 0
    VIS_VRAM = 1
    GTT = 2


AmdSmiGpuBlock = IntEnum("AmdSmiGpuBlock", {n: 1 << i for i, n in enumerate(
    "UMC SDMA GFX MMHUB ATHUB PCIE_BIF HDP XGMI_WAFL DF SMN SEM MP0 MP1 FUSE MCA VCN JPEG IH MPIO".split())})
AmdSmiEvtNotificationType = IntEnum("AmdSmiEvtNotificationType", "NONE VMFAULT THERMAL_THROTTLE GPU_PRE_RESET GPU_POST_RESET RING_HANG", start=0)
AmdSmiIoLinkType = IntEnum("AmdSmiIoLinkType", "UNDEFINED PCIEXPRESS XGMI", start=0)
AmdSmiFwBlock = IntEnum("AmdSmiFwBlock", (
    "SMU CP_CE CP_PFP CP_ME CP_MEC_JT1 CP_MEC_JT2 CP_MEC1 CP_MEC2 RLC SDMA0 SDMA1 SDMA2 SDMA3 SDMA4 SDMA5 SDMA6 "
    "SDMA7 VCN UVD VCE ISP DMCU_ERAM DMCU_ISR RLC_RESTORE_LIST_GPM_MEM RLC_RESTORE_LIST_SRM_MEM "
    "RLC_RESTORE_LIST_CNTL RLC_V MMSCH PSP_SYSDRV PSP_SOSDRV PSP_TOC PSP_KEYDB DFC PSP_SPL DRV_CAP MC PSP_BL CP_PM4 "
    "RLC_P SEC_POLICY_STAGE2 REG_ACCESS_WHITELIST IMU_DRAM IMU_IRAM SDMA_TH0 SDMA_TH1 CP_MES MES_KIQ MES_STACK "
    "MES_THREAD1 MES_THREAD1_STACK RLX6 RLX6_DRAM_BOOT RS64_ME RS64_ME_P0_DATA RS64_ME_P1_DATA RS64_PFP "
    "RS64_PFP_P0_DATA RS64_PFP_P1_DATA RS64_MEC RS64_MEC_P0_DATA RS64_MEC_P1_DATA RS64_MEC_P2_DATA RS64_MEC_P3_DATA "
    "PPTABLE PSP_SOC PSP_DBG PSP_INTF RLX6_CORE1 RLX6_DRAM_BOOT_CORE1 RLCV_LX7 RLC_SAVE_RESTORE_LIST ASD TA_RAS "
    "TA_XGMI RLC_SRLG RLC_SRLS PM DMCU"), start=1)
AmdSmiProcessorType = IntEnum("AmdSmiProcessorType", "UNKNOWN AMD_GPU AMD_CPU NON_AMD_GPU NON_AMD_CPU AMD_CPU_CORE AMD_APU", start=0)
AmdSmiComputePartitionType = IntEnum("AmdSmiComputePartitionType", "INVALID SPX DPX TPX QPX CPX", start=0)
AmdSmiMemoryPartitionType = IntEnum("AmdSmiMemoryPartitionType", "UNKNOWN NPS1 NPS2 NPS4 NPS8", start=0)
AmdSmiAcceleratorPartitionType = IntEnum("AmdSmiAcceleratorPartitionType", "INVALID SPX DPX TPX QPX CPX", start=0)
AmdSmiRasErrState = IntEnum("AmdSmiRasErrState", "NONE DISABLED PARITY SING_C MULT_UC POISON ENABLED", start=0)
AmdSmiXgmiStatus = IntEnum("AmdSmiXgmiStatus", "NO_ERRORS ERROR MULTIPLE_ERRORS", start=0)
AmdSmiMemoryPageStatus = IntEnum("AmdSmiMemoryPageStatus", "RESERVED PENDING UNRESERVABLE", start=0)
AmdSmiLinkType = IntEnum("AmdSmiLinkType", (
    "AMDSMI_LINK_TYPE_INTERNAL AMDSMI_LINK_TYPE_XGMI AMDSMI_LINK_TYPE_PCIE AMDSMI_LINK_TYPE_NOT_APPLICABLE "
    "AMDSMI_LINK_TYPE_UNKNOWN"), start=0)
AmdSmiVoltageMetric = IntEnum("AmdSmiVoltageMetric", "CURRENT MAX MIN_CRIT MIN MAX_CRIT AVERAGE LOWEST HIGHEST", start=0)
AmdSmiCounterCommand = IntEnum("AmdSmiCounterCommand", "START STOP", start=0)
AmdSmiContainerTypes = IntEnum("AmdSmiContainerTypes", "LXC DOCKER", start=0)


class AmdSmiVoltageType(IntEnum):
    VDDGFX = 0
    INVALID = 0xFFFFFFFF


class AmdSmiFreqInd(IntEnum):
    MIN = 0
    MAX = 1
    INVALID = 0xFFFFFFFF


class AmdSmiDevPerfLevel(IntEnum):
    AUTO = 0
    LOW = 1
    HIGH = 2
    MANUAL = 3
    STABLE_STD = 4
    STABLE_PEAK = 5
    STABLE_MIN_MCLK = 6
    STABLE_MIN_SCLK = 7
    DETERMINISM = 8
    UNKNOWN = 256


class AmdSmiUtilizationCounterType(IntEnum):
    COARSE_GRAIN_GFX_ACTIVITY = 0
    COARSE_GRAIN_MEM_ACTIVITY = 1
    COARSE_DECODER_ACTIVITY = 2
    FINE_GRAIN_GFX_ACTIVITY = 100
    FINE_GRAIN_MEM_ACTIVITY = 101
    FINE_DECODER_ACTIVITY = 102


class AmdSmiVramType(IntEnum):
    UNKNOWN = 0
    HBM = 1
    HBM2 = 2
    HBM2E = 3
    HBM3 = 4
    DDR2 = 10
    DDR3 = 11
    DDR4 = 12
    GDDR1 = 17
    GDDR2 = 18
    GDDR3 = 19
    GDDR4 = 20
    GDDR5 = 21
    GDDR6 = 22
    GDDR7 = 23


class AmdSmiVramVendor(IntEnum):
    PLACEHOLDER0 = 0
    SAMSUNG = 1
    INFINEON = 2
    ELPIDA = 3
    ETRON = 4
    NANYA = 5
    HYNIX = 6
    MOSEL = 7
    WINBOND = 8
    ESMT = 9
    PLACEHOLDER1 = 10
    PLACEHOLDER2 = 11
    PLACEHOLDER3 = 12
    PLACEHOLDER4 = 13
    PLACEHOLDER5 = 14
    MICRON = 15


class AmdSmiEventGroup(IntEnum):
    XGMI = 0
    XGMI_DATA_OUT = 10
    INVALID = 0xFFFFFFFF


class AmdSmiPowerProfilePresetMasks(IntEnum):
    CUSTOM_MASK = 1
    VIDEO_MASK = 2
    POWER_SAVING_MASK = 4
    COMPUTE_MASK = 8
    VR_MASK = 16
    THREE_D_FULL_SCR_MASK = 32
    BOOTUP_DEFAULT = 64
