import CBORKit
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads stored state; the only copy of it that reading needs is wiped.
enum SecretStateReader {
    /// The value that a closure reads from the state's map.
    ///
    /// - Throws: ``IdemixError/Code/malformedCBOR`` for bytes of another form or version, and the closure's error.
    static func read<Value>(
        _ bytes: some ContiguousBytes,
        version: UInt64,
        _ read: (CBORMapView) throws -> Value
    ) throws(IdemixError) -> Value {
        var copy = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
        defer { wipe(&copy) }
        do {
            return try readMap(copy) { map in
                let found: UInt64 = try map.required("version").integer()
                guard found == version else {
                    throw IdemixError(.malformedCBOR, "the version \(found), known is \(version)", path: ["version"])
                }
                return try read(map)
            }
        } catch let error as IdemixError {
            throw error
        } catch {
            throw IdemixError(.malformedCBOR, "not the stored state of this value", cause: error)
        }
    }

    private static func readMap<Value>(_ bytes: [UInt8], _ read: (CBORMapView) throws -> Value) throws -> Value {
        try read(CBORDocument(bytes).root.map())
    }
}

extension CBORView {
    /// The number whose big-endian bytes a byte string holds.
    func magnitude() throws -> BigInteger { BigInteger(bytes: try bytes()) }
}

extension CBORMapView {
    /// The number of a member.
    func magnitude(_ name: String) throws -> BigInteger { try required(name).magnitude() }

    /// The number of a member, or nil if absent.
    func optionalMagnitude(_ name: String) throws -> BigInteger? { try value(forKey: name)?.magnitude() }

    /// The numbers of an array.
    func magnitudes(_ name: String) throws -> [BigInteger] {
        try required(name).array().map { try $0.magnitude() }
    }
}
