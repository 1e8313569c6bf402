# SPDX-License-Identifier: Apache-2.0
# A ring by mpi4py: 1000 messages of 1024 bytes from each rank to the next.
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
data = bytearray(1024)
for _ in range(1000):
    if rank == 0:
        world.Send([data, MPI.BYTE], dest=(rank + 1) % size, tag=7)
    world.Recv([data, MPI.BYTE], source=(rank - 1) % size, tag=7)
    if rank != 0:
        world.Send([data, MPI.BYTE], dest=(rank + 1) % size, tag=7)
world.Barrier()
