#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Returns `true` if two byte sequences are equal, in a time that depends only on their lengths.
///
/// Sequences of different lengths are unequal at once: lengths of tags, codes and keys are no secrets.
public func constantTimeEqual(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
    unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
            guard left.count == right.count else { return false }
            var difference: UInt8 = 0
            for index in left.indices { difference |= unsafe left[index] ^ right[index] }
            return difference == 0
        }
    }
}
