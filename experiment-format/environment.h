/* SPDX-License-Identifier: Apache-2.0 */
/* The environment variables through which `collect` and the collector in each process speak to an image that
   is exec'd next. Everything else is in the founder's file "settings". */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#define ENVIRONMENT_FOUNDER "ER_TOOLS_FOUNDER" /* absolute path of the founder experiment */
#define ENVIRONMENT_LINEAGE "ER_TOOLS_LINEAGE" /* "" or "_f1_x1": which experiment this image is */
/* Behind the lineage of a rank that another one spawned, before the hexadecimal number of that spawning. */
#define LINEAGE_SPAWNED "@"

/* How collect is told to become a rank: this, the founder, in the second form the number of its spawning, the program and its
   arguments. */
#define MPI_RANK_OPTION    "--rank-of"
#define MPI_SPAWNED_OPTION "--spawned-rank-of"

/* "USER,SYSTEM,PAUSED": nanoseconds of this process's CPU time that an earlier image, which exec'd this one, has recorded;
   1 if the signal of -y has paused recording. Absent: none, and as the settings say. */
#define ENVIRONMENT_RECORDED "ER_TOOLS_RECORDED"

/* Empty. With it the entries that the collector takes out are even in number (LD_PRELOAD, if it goes as well,
   is one of them), which keeps the auxiliary vector behind the environment readable. */
#define ENVIRONMENT_PADDING "ER_TOOLS_PADDING"

/* Read by `collect` alone and taken out of the target's environment: "exec" makes it exec the target over
   itself, so that nobody closes the experiment from outside (a launcher that watches the process id of what
   it started). */
#define ENVIRONMENT_LAUNCH "ER_TOOLS_LAUNCH"

/* Read by `collect` alone and taken out of the target's environment: which unwinder takes the stacks (the setting
   `unwinder`): "libunwind", or "both" for libunwind's stacks beside the recorded ones. */
#define ENVIRONMENT_UNWINDER "ER_TOOLS_UNWINDER"

/* A process of an MPI job finds its rank in one of these, whoever launched it (Open MPI's, MPICH's; PMIX_RANK and SLURM's are set
   for other programs, too), and in one of those what the launcher calls the job. */
#define MPI_RANK_VARIABLES "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"
#define MPI_JOB_VARIABLES  "PMIX_NAMESPACE", "PMI_JOBID", "SLURM_JOB_ID"

#endif
