/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of a function of the target: INTERPOSE marks the definition, REAL(f) is the next one. */
#ifndef INTERPOSE_H
#define INTERPOSE_H

/* Only what is marked so is exported (everything else is hidden). tests/house lists them all. */
#define INTERPOSE __attribute__((visibility("default")))

/* A function that we stand in front of. Variables of this type have the type's own alignment, so that their section is an
   array. */
struct real_function {
	const char *name;
	void *function;      /* the next definition; 0: not looked up yet */
	const char *version; /* of the symbol; 0: the version that a program linked today gets */
};

/* The next definition of NAME after ours in the target's lookup order (dlsym(RTLD_NEXT)), looked up at its first use and kept
   in *kept: a process calls few of all. Safe before our constructor has run, and in handlers once real_functions_resolve() was
   called. 0 if there is none. */
void *real_function(const char *name, void **kept);
/* As real_function(), for the definition of one symbol version. */
void *real_function_version(const char *name, const char *version, void **kept);

/* Prepares the search, or where only the loader can search, looks up all of them: no later call takes the loader's locks. The
   constructor calls it. */
void real_functions_resolve(void);

/* One for all files that call the function, as the linker keeps one of the groups of a name: each costs a search in every
   process. C has no word for that. */
#define REAL_ENTRY(name_)                                                                                              \
	__asm__(".ifndef real_" #name_ "\n"                                                                            \
		".pushsection .rodata.str1.1, \"aMS\", %progbits, 1\n"                                                 \
		".Lname_of_" #name_ ": .asciz \"" #name_ "\"\n"                                                        \
		".popsection\n"                                                                                        \
		".pushsection real_functions, \"awG\", %progbits, real_" #name_ ", comdat\n"                           \
		".balign 8\n"                                                                                          \
		".weak real_" #name_ "\n"                                                                              \
		".hidden real_" #name_ "\n"                                                                            \
		"real_" #name_ ": .8byte .Lname_of_" #name_ ", 0, 0\n"                                                 \
		".popsection\n"                                                                                        \
		".endif")

#define REAL(function_)                                                                                                \
	({                                                                                                             \
		extern struct real_function real_##function_ __attribute__((visibility("hidden")));                    \
		REAL_ENTRY(function_);                                                                                 \
		void *kept_ = __atomic_load_n(&real_##function_.function, __ATOMIC_RELAXED);                           \
		if (__builtin_expect(!kept_, 0))                                                                       \
			kept_ = real_function(real_##function_.name, &real_##function_.function);                      \
		(__typeof__(&function_))kept_;                                                                         \
	})
#define REAL_VERSION(function_, version_)                                                                              \
	({                                                                                                             \
		static struct real_function real_##function_ __attribute__((section("real_functions"), used,           \
			aligned(_Alignof(struct real_function)))) = {#function_, 0, version_};                         \
		(__typeof__(&function_))real_function_version(                                                         \
			real_##function_.name, version_, &real_##function_.function);                                  \
	})

#endif
