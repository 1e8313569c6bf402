# SPDX-License-Identifier: Apache-2.0
# A library whose every address, line and inlined call is said here: what tests of whole reports map. Linked with .text at
# 0x1000 (-Ttext=0x1000). The lines are those of known.c beside it, DWARF is version 4 and made by hand.
	.file	"known.c"
	.file	1 "known.c"
	.text
.Ltext:
	.globl	work
	.type	work, @function
work:
	.loc	1 3
	imull	$3, %edi, %eax
	.loc	1 4
	addl	$1, %eax
	ret
.Lwork_end:
	.size	work, .-work
	.balign	16, 0x90

	.globl	main
	.hidden	main
	.type	main, @function
main:
	.loc	1 13
	pushq	%rbx
	movl	%edi, %ebx
.Ltwice:
	.loc	1 9
	call	.Ltext
	movl	%ebx, %edi
	call	.Ltext
.Ltwice_end:
	.loc	1 14
	movl	$2, %edi
	call	.Ltext
	.loc	1 15
	popq	%rbx
	ret
.Lmain_end:
	.size	main, .-main

	.section	.debug_abbrev, "", @progbits
.Labbrev:
	.uleb128 1, 0x11	# DW_TAG_compile_unit with children
	.byte	1
	.uleb128 0x03, 0x08	# DW_AT_name, string
	.uleb128 0x1b, 0x08	# DW_AT_comp_dir, string
	.uleb128 0x13, 0x05	# DW_AT_language, data2
	.uleb128 0x11, 0x01	# DW_AT_low_pc, address
	.uleb128 0x12, 0x07	# DW_AT_high_pc, data8: a length
	.uleb128 0x10, 0x17	# DW_AT_stmt_list, section offset
	.byte	0, 0
	.uleb128 2, 0x2e	# DW_TAG_subprogram without children
	.byte	0
	.uleb128 0x03, 0x08
	.uleb128 0x3a, 0x0b	# DW_AT_decl_file, data1
	.uleb128 0x3b, 0x0b	# DW_AT_decl_line, data1
	.uleb128 0x11, 0x01
	.uleb128 0x12, 0x07
	.byte	0, 0
	.uleb128 3, 0x2e	# an inlined one: its abstract instance
	.byte	0
	.uleb128 0x03, 0x08
	.uleb128 0x3a, 0x0b
	.uleb128 0x3b, 0x0b
	.uleb128 0x20, 0x0b	# DW_AT_inline, data1
	.byte	0, 0
	.uleb128 4, 0x2e	# DW_TAG_subprogram with children
	.byte	1
	.uleb128 0x03, 0x08
	.uleb128 0x3a, 0x0b
	.uleb128 0x3b, 0x0b
	.uleb128 0x11, 0x01
	.uleb128 0x12, 0x07
	.byte	0, 0
	.uleb128 5, 0x1d	# DW_TAG_inlined_subroutine
	.byte	0
	.uleb128 0x31, 0x13	# DW_AT_abstract_origin, reference in the unit
	.uleb128 0x11, 0x01
	.uleb128 0x12, 0x07
	.uleb128 0x58, 0x0b	# DW_AT_call_file, data1
	.uleb128 0x59, 0x0b	# DW_AT_call_line, data1
	.byte	0, 0
	.byte	0

	.section	.debug_info, "", @progbits
.Lunit:
	.long	.Lunit_end - .Lunit_start
.Lunit_start:
	.value	4
	.long	.Labbrev
	.byte	8
	.uleb128 1
	.asciz	"known.c"
	.asciz	"/known"
	.value	0x0c
	.quad	.Ltext
	.quad	.Lmain_end - .Ltext
	.long	.Lline
	.uleb128 2
	.asciz	"work"
	.byte	1, 1
	.quad	.Ltext
	.quad	.Lwork_end - .Ltext
.Lorigin:
	.uleb128 3
	.asciz	"twice"
	.byte	1, 7, 3
	.uleb128 4
	.asciz	"main"
	.byte	1, 12
	.quad	main
	.quad	.Lmain_end - main
	.uleb128 5
	.long	.Lorigin - .Lunit
	.quad	.Ltwice
	.quad	.Ltwice_end - .Ltwice
	.byte	1, 14
	.byte	0
	.byte	0
.Lunit_end:

	.section	.debug_aranges, "", @progbits
	.long	.Laranges_end - .Laranges_start
.Laranges_start:
	.value	2
	.long	.Lunit
	.byte	8, 0
	.long	0		# up to a multiple of two addresses
	.quad	.Ltext, .Lmain_end - .Ltext
	.quad	0, 0
.Laranges_end:

	.section	.debug_line, "", @progbits
.Lline:
