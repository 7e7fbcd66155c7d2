#pragma once

#include <condition_variable>
#include <mutex>

// Clang's thread-safety analysis (-Wthread-safety) checks these; other compilers see nothing.
#if defined(__clang__)
#define MIZAN_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define MIZAN_THREAD_ANNOTATION(x)
#endif

/// On a member: touched only while the mutex is held.
#define MIZAN_GUARDED_BY(mutex) MIZAN_THREAD_ANNOTATION(guarded_by(mutex))
/// On a function: the caller holds the mutex.
#define MIZAN_REQUIRES(...) MIZAN_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
/// On a function: the caller must not hold the mutex.
#define MIZAN_EXCLUDES(...) MIZAN_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

namespace mizan {

/// std::mutex with annotations, to be held by a MutexLock.
class MIZAN_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() MIZAN_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }

  void unlock() MIZAN_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

/// Holds a Mutex from construction to destruction. `unlock` and `lock` open a gap in between, and
/// a std::condition_variable_any can wait with it.
class MIZAN_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) MIZAN_THREAD_ANNOTATION(acquire_capability(mutex))
      : lock_(mutex) {}

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() MIZAN_THREAD_ANNOTATION(release_capability()) = default;

  void lock() MIZAN_THREAD_ANNOTATION(acquire_capability()) { lock_.lock(); }

  void unlock() MIZAN_THREAD_ANNOTATION(release_capability()) { lock_.unlock(); }

 private:
  std::unique_lock<Mutex> lock_;
};

}  // namespace mizan
