! SPDX-License-Identifier: Apache-2.0
! Two ranks: 5 times Irecv, Isend, Waitall of 40 bytes; Init, Comm_rank, Barrier, Finalize. By mpif.h, "use mpi" (USE_MPI)
! or "use mpi_f08" (USE_F08).
program binding
#if defined USE_F08
    use mpi_f08
    implicit none
    type(MPI_Request) :: requests(2)
#elif defined USE_MPI
    use mpi
    implicit none
    integer :: requests(2)
#else
    implicit none
    include 'mpif.h'
    integer :: requests(2)
#endif
    integer :: rank, i, out(10), in(10), error
    out = 0
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    do i = 1, 5
        call MPI_Irecv(in, 10, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(1), error)
        call MPI_Isend(out, 10, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(2), error)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
end program
