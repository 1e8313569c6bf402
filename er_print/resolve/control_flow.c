/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knowing the mnemonics that do not just go on to the next instruction (processors.def). */
#include "control_flow.h"
#include <elf.h>
#include <stddef.h>
#include <string.h>

static const struct {
	unsigned machine;
	const char *mnemonic;
	enum control_flow flow;
} rows[] = {
#define FLOW(machine, mnemonic, flow) {machine, mnemonic, FLOW_##flow},
#include "processors.def"
};

/* The words that libopcodes writes before the mnemonic of x86, each followed by a space. */
static const char *const prefixes[] = {"rep", "repz", "repnz", "bnd", "notrack", "lock", "data16", "addr32", "cs", "ds",
	"es", "fs", "gs", "ss", "xacquire", "xrelease", "rex*", "{*"};

static bool is_word(const char *text, size_t length, const char *word)
{
	size_t wanted = strlen(word);
	if (wanted && word[wanted - 1] == '*')
		return length >= wanted - 1 && !strncmp(text, word, wanted - 1);
	return length == wanted && !strncmp(text, word, wanted);
}

static bool is_prefix(const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (is_word(text, length, prefixes[i]))
			return true;
	return false;
}

static size_t word_length(const char *text)
{
	return strcspn(text, " \t");
}

static const char *next_word(const char *text)
{
	text += word_length(text);
	return text + strspn(text, " \t");
}

static const char *mnemonic_of(unsigned machine, const char *text)
{
	while (machine == EM_X86_64 && *text && is_prefix(text, word_length(text)))
		text = next_word(text);
	return text;
}

enum control_flow control_flow_of(unsigned elf_machine, const char *text)
{
	const char *mnemonic = mnemonic_of(elf_machine, text);
	bool known = false;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		known |= rows[i].machine == elf_machine;
		if (rows[i].machine == elf_machine && is_word(mnemonic, word_length(mnemonic), rows[i].mnemonic))
			return rows[i].flow;
	}
	return known ? FLOW_NEXT : FLOW_UNKNOWN;
}

bool control_flow_is_jump(unsigned elf_machine, const char *text)
{
	const char *mnemonic = mnemonic_of(elf_machine, text);
	size_t length = word_length(mnemonic);
	return elf_machine == EM_AARCH64 ? is_word(mnemonic, length, "b") || is_word(mnemonic, length, "br") ||
						   is_word(mnemonic, length, "bra*")
					 : is_word(mnemonic, length, "jmp*") || is_word(mnemonic, length, "ljmp*");
}

bool control_flow_is_return(unsigned elf_machine, const char *text)
{
	const char *mnemonic = mnemonic_of(elf_machine, text);
	size_t length = word_length(mnemonic);
	return is_word(mnemonic, length, "ret*") || (elf_machine != EM_AARCH64 && is_word(mnemonic, length, "lret*"));
}

bool control_flow_is_interruptible(unsigned elf_machine, const char *text)
{
	static const char *const strings[] = {"movs*", "stos*", "lods*", "scas*", "cmps*", "ins*", "outs*"};
	bool repeated = false;
	for (; elf_machine == EM_X86_64 && is_prefix(text, word_length(text)); text = next_word(text))
		repeated |= is_word(text, word_length(text), "rep*");
	for (size_t i = 0; repeated && i < sizeof strings / sizeof *strings; i++)
		if (is_word(text, word_length(text), strings[i]))
			return true;
	return false;
}
