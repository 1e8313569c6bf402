/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of a function of the target: INTERPOSE marks the definition, REAL(f) is the next one. */
#ifndef INTERPOSE_H
#define INTERPOSE_H

/* Only what is marked so is exported (everything else is hidden). tests/house lists them all. */
#define INTERPOSE __attribute__((visibility("default")))

/* (Variables of this type are aligned as it is, so that their section is an array.)
   A function that we stand in front of: its name, the next definition once it was looked up, and its symbol version; 0:
   the one that a program linked today gets. */
struct real_function {
	const char *name;
	void *function;
	const char *version;
};

/* The next definition of NAME after ours in the target's lookup order (dlsym(RTLD_NEXT)), looked up once and kept in
   *kept. Safe before our constructor has run, and in handlers once real_functions_resolve() was called. 0 if there is
   none. */
void *real_function(const char *name, void **kept);
/* The same for the definition of one symbol version. */
void *real_function_version(const char *name, const char *version, void **kept);

/* Looks up all of them. The constructor calls it, so that no later call takes the loader's locks. */
void real_functions_resolve(void);

#define REAL(function_)                                                                                                \
	({                                                                                                             \
		static struct real_function real_##function_ __attribute__((section("real_functions"), used,           \
			aligned(_Alignof(struct real_function)))) = {#function_, 0, 0};                                \
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
