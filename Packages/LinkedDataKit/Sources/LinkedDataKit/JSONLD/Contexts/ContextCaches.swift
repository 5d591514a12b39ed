import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The processed contexts of a processor, in several caches: threads that run at the same time mostly have different ones.
///
/// A verification counts hundreds of references to contexts, terms and their texts. If two cores count those of the same
/// objects, each waits for the other's memory.
package struct ContextCaches: Sendable {
    /// More caches hold fewer contexts each, and have to process each context once more.
    private static let mostCaches = 4

    private let caches: [ContextCache]

    /// Makes caches for contexts with so many terms in all.
    init(capacity: Int) {
        let count = max(1, min(ProcessInfo.processInfo.activeProcessorCount, Self.mostCaches))
        caches = (0..<count).map { _ in ContextCache(capacity: capacity / count) }
    }

    /// Takes the only cache.
    package init(_ cache: ContextCache) {
        caches = [cache]
    }

    /// Indicates that there are several caches, which should not refer to the same memory.
    var areSeparate: Bool { caches.count > 1 }

    /// The cache of the calling thread.
    var current: ContextCache {
        caches.count > 1 ? caches[ThreadNumber.current % caches.count] : caches[0]
    }
}

/// The numbers of threads, given out in the order in which they ask.
private enum ThreadNumber {
    private static let last = Atomic<Int>(0)
    /// The key of a thread's number, which is stored in the place of a pointer; nil if the system has no more keys.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The number of the calling thread.
    static var current: Int {
        guard let key else { return 0 }
        if let known = pthread_getspecific(key) { return Int(bitPattern: known) }
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: number))
        return number
    }
}
