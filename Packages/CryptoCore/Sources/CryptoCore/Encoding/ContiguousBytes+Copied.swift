#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ContiguousBytes {
    /// The bytes as an array; an array is handed on without a copy.
    @inlinable
    func copied() -> [UInt8] {
        if let array = self as? [UInt8] { return array }
        return unsafe withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
