public import CBORKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The parameters that carry certificates (RFC 9360).
///
/// A certificate in a header is a claim of the sender: validate the chain up to an anchor of your own before you use the
/// key of its first certificate.
extension COSEHeaderParameters {
    /// The certificate chain (`x5chain`) in DER, the end entity's certificate first; empty if it is absent.
    ///
    /// - Parameters:
    ///   - maximumCount: The largest number of certificates.
    ///   - allowingArrayOfOne: Indicates that one certificate may stand in an array, as some producers write it; RFC
    ///     9360 has a bare byte string then.
    /// - Throws: ``COSEError/Code/invalidHeader`` for another form, ``COSEError/Code/limitExceeded``.
    public func x5chain(
        maximumCount: Int = 16,
        allowingArrayOfOne: Bool = false
    ) throws(COSEError) -> [ArraySlice<UInt8>] {
        try certificates(.x5chain, "x5chain", maximumCount, allowingArrayOfOne)
    }

    /// The certificates in no order (`x5bag`) in DER; empty if it is absent.
    ///
    /// - Parameters:
    ///   - maximumCount: The largest number of certificates.
    ///   - allowingArrayOfOne: Indicates that one certificate may stand in an array.
    /// - Throws: ``COSEError/Code/invalidHeader`` for another form, ``COSEError/Code/limitExceeded``.
    public func x5bag(
        maximumCount: Int = 16,
        allowingArrayOfOne: Bool = false
    ) throws(COSEError) -> [ArraySlice<UInt8>] {
        try certificates(.x5bag, "x5bag", maximumCount, allowingArrayOfOne)
    }

    /// The hash of the end entity's certificate (`x5t`), or nil if it is absent.
    public func x5t() throws(COSEError) -> COSECertificateHash? {
        guard let view = try parameter(.x5t) else { return nil }
        return try COSECertificateHash(cbor: view)
    }

    /// Refuses an end entity's certificate whose hash differs from the one in the header (`x5t`), if there is one.
    ///
    /// - Parameter certificate: The certificate in DER.
    /// - Throws: ``COSEError/Code/certificateMismatch``, ``COSEError/Code/unsupportedHash`` for a hash function that is not
    ///   implemented, ``COSEError/Code/invalidHeader`` for another form.
    public func requireX5T(of certificate: some ContiguousBytes) throws(COSEError) {
        guard let hash = try x5t(), try !hash.matches(certificate) else { return }
        throw COSEError(.certificateMismatch, "the hash is of another certificate", path: ["x5t"])
    }

    /// The URI of the certificates (`x5u`), or nil if it is absent.
    ///
    /// Nothing in this library fetches it.
    public func x5u() throws(COSEError) -> String? {
        try uri(.x5u, "x5u")
    }

    /// The certificate chain of the sender's static key (`x5chain-sender`) in DER; empty if it is absent.
    public func x5chainSender(maximumCount: Int = 16) throws(COSEError) -> [ArraySlice<UInt8>] {
        try certificates(.x5chainSender, "x5chain-sender", maximumCount, false)
    }

    /// The hash of the certificate of the sender's static key (`x5t-sender`), or nil if it is absent.
    public func x5tSender() throws(COSEError) -> COSECertificateHash? {
        guard let view = try parameter(.x5tSender) else { return nil }
        return try COSECertificateHash(cbor: view)
    }

    /// The URI of the certificates of the sender's static key (`x5u-sender`), or nil if it is absent.
    ///
    /// Nothing in this library fetches it.
    public func x5uSender() throws(COSEError) -> String? {
        try uri(.x5uSender, "x5u-sender")
    }

    /// RFC 9360 section 2: the URI is a text string in tag 32.
    private func uri(_ label: COSELabel, _ name: String) throws(COSEError) -> String? {
        guard let view = try parameter(label) else { return nil }
        return try header(name) { () throws(CBORError) in try view.content(ofTag: 32).text() }
    }

    /// RFC 9360 section 2: `COSE_X509 = bstr / [ 2*certs: bstr ]`.
    private func certificates(
        _ label: COSELabel,
        _ name: String,
        _ maximumCount: Int,
        _ allowingArrayOfOne: Bool
    ) throws(COSEError) -> [ArraySlice<UInt8>] {
        guard let view = try parameter(label) else { return [] }
        if view.kind == .byteString {
            return [try header(name) { () throws(CBORError) in try view.bytes() }]
        }
        let array = try header(name) { () throws(CBORError) in try view.array() }
        guard array.count >= (allowingArrayOfOne ? 1 : 2) else {
            throw COSEError(.invalidHeader, "an array of \(array.count) certificates", path: [name])
        }
        guard array.count <= maximumCount else {
            throw COSEError(.limitExceeded, "\(array.count) certificates, over \(maximumCount)", path: [name])
        }
        return try header(name) { () throws(CBORError) in
            var certificates: [ArraySlice<UInt8>] = []
            for element in array { certificates.append(try element.bytes()) }
            return certificates
        }
    }
}

extension COSEHeaderMap {
    /// The value of `x5chain` or `x5bag` for certificates in DER: one is a byte string, several are an array.
    public static func certificates(_ certificates: [[UInt8]]) -> CBOR {
        if certificates.count == 1, let only = certificates.first { return .bytes(only) }
        return .array(certificates.map { .bytes($0) })
    }
}
