! SPDX-License-Identifier: Apache-2.0
! What a Fortran program can tell the collector that records it: libcollector(3). For free and fixed form.
      interface
        subroutine collector_sample(label)
          character(len=*), intent(in) :: label
        end subroutine
        subroutine collector_pause()
        end subroutine
        subroutine collector_resume()
        end subroutine
        subroutine collector_terminate_expt()
        end subroutine
      end interface
