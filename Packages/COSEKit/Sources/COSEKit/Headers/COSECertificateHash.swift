public import CBORKit
import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The hash of a certificate that an `x5t` parameter holds: `COSE_CertHash` (RFC 9360 section 2).
public struct COSECertificateHash: Sendable {
    /// The hash function, by its identifier in the registry "COSE Algorithms": -16 is SHA-256.
    public let algorithm: COSELabel
    /// The hash, possibly cut off as the algorithm says.
    public let value: ArraySlice<UInt8>

    /// The hash of a DER certificate with SHA-256.
    public init(sha256Of certificate: some ContiguousBytes) {
        algorithm = -16
        value = HashAlgorithm.sha256.digest(of: certificate)[...]
    }

    /// Reads `[ hashAlg: (int / tstr), hashValue: bstr ]`.
    public init(cbor view: CBORView) throws(COSEError) {
        let pair = try reading("x5t") { () throws(CBORError) in try view.array() }
        guard pair.count == 2 else {
            throw COSEError(.invalidHeader, "an x5t has two elements, not \(pair.count)", path: ["x5t"])
        }
        let (hash, digest) = try reading("x5t") { () throws(CBORError) in
            (try pair.element(at: 0), try pair.element(at: 1).bytes())
        }
        algorithm = try within("x5t") { () throws(COSEError) in try COSELabel(cbor: hash) }
        value = digest
    }

    /// Returns `true` if this is the hash of a certificate.
    ///
    /// - Parameter certificate: The certificate in DER.
    /// - Throws: ``COSEError/Code/unsupportedHash`` for a hash function that is not implemented.
    public func matches(_ certificate: some ContiguousBytes) throws(COSEError) -> Bool {
        guard let (function, length) = function else {
            throw COSEError(.unsupportedHash, "hash function \(algorithm) of an x5t", path: ["x5t"])
        }
        guard value.count == length else { return false }
        return constantTimeEqual(value, function.digest(of: certificate)[..<length])
    }

    /// The hash function and the number of its first bytes that are kept (RFC 9054).
    private var function: (HashAlgorithm, length: Int)? {
        switch algorithm {
        case -14: (.sha1, 20)
        case -15: (.sha256, 8)
        case -16: (.sha256, 32)
        case -43: (.sha384, 48)
        case -44: (.sha512, 64)
        default: nil
        }
    }

    /// The value of the header parameter.
    public var cbor: CBOR {
        .array([algorithm.cbor, .bytes([UInt8](value))])
    }
}
