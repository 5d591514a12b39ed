package import CBORKit
package import COSEKit
import CryptoCore

extension Reading {
    /// A COSE_Sign1; where tolerated, tagged or with a fully specified algorithm.
    package mutating func sign1(_ view: CBORView) throws(MdocError) -> COSESign1 {
        try untagged(view)
        let message: COSESign1
        do throws(COSEError) {
            message = try COSESign1(cbor: view, options: coseOptions)
        } catch {
            throw MdocError(cose: error, at: view)
        }
        if Self.hasFullySpecifiedAlgorithm(message) { try tolerate(.fullySpecifiedAlgorithm, at: view) }
        return message
    }

    /// An algorithm that is not a number returns `false`; verification refuses it.
    private static func hasFullySpecifiedAlgorithm(_ message: COSESign1) -> Bool {
        do throws(COSEError) {
            return try message.headers.protected.algorithm().map(MdocAlgorithms.isFullySpecified) ?? false
        } catch {
            return false
        }
    }

    /// A reader's COSE_Sign1.
    ///
    /// Notes tolerable deviations only. ``ReaderAuthenticationVerifier`` judges the x5chain: a malformed one refuses
    /// the reader, not the request.
    package mutating func readerAuth(_ view: CBORView) throws(MdocError) -> COSESign1 {
        let message = try sign1(view)
        let chain: [ArraySlice<UInt8>]
        do throws(COSEError) {
            chain = try message.headers.x5chain(maximumCount: options.limits.certificates, allowingArrayOfOne: true)
        } catch {
            return message
        }
        try noteForm(ofX5chain: chain, of: message, .unprotected, mayEndWithRoot: true, at: view)
        return message
    }

    /// A COSE_Mac0; a tagged one where that is tolerated.
    package mutating func mac0(_ view: CBORView) throws(MdocError) -> COSEMac0 {
        try untagged(view)
        do {
            return try COSEMac0(cbor: view, options: coseOptions)
        } catch {
            throw MdocError(cose: error, at: view)
        }
    }

    private var coseOptions: COSEReadingOptions {
        COSEReadingOptions(headerParameters: options.limits.headerParameters)
    }

    /// A COSE_Key; its point is not looked at before it is used.
    package mutating func key(_ view: CBORView) throws(MdocError) -> COSEKey {
        try check(view.encodedBytes.count, limit: options.limits.certificateSize, "bytes of a key", at: view)
        do {
            return try COSEKey(cbor: view)
        } catch {
            guard let key = Self.keyWithoutTextID(view) else { throw MdocError(cose: error, at: view) }
            try tolerate(.textKeyID, at: view)
            return key
        }
    }

    /// A key without its `kid`, where that is text; nil if that is not what is wrong with it.
    ///
    /// Everything else stays: what restricts the key still does.
    private static func keyWithoutTextID(_ view: CBORView) -> COSEKey? {
        let map: CBORMapView
        do throws(CBORError) {
            map = try view.map()
        } catch {
            return nil
        }
        guard let textID = map.value(forKey: 2), textID.kind == .textString else { return nil }
        let parameters = map.filter { $0.value.offset != textID.offset }
        let key = CBORWriter.bytes { writer in
            writer.beginMap(count: parameters.count)
            for (label, value) in parameters {
                writer.write(encoded: label.encodedBytes)
                writer.write(encoded: value.encodedBytes)
            }
        }
        do throws(COSEError) {
            return try COSEKey(decoding: key)
        } catch {
            return nil
        }
    }

    /// The certificates of a signature in DER, leaf first, from either bucket; empty if there are none.
    ///
    /// - Parameters:
    ///   - bucket: The header that the standard has them in.
    ///   - mayEndWithRoot: `true` where the standard does not have the root left out.
    package mutating func x5chain(
        of message: COSESign1,
        expectedIn bucket: X5chainBucket = .unprotected,
        mayEndWithRoot: Bool,
        at view: CBORView
    ) throws(MdocError) -> [ArraySlice<UInt8>] {
        let chain: [ArraySlice<UInt8>]
        do throws(COSEError) {
            chain = try message.headers.x5chain(maximumCount: options.limits.certificates, allowingArrayOfOne: true)
        } catch {
            throw MdocError(cose: error, at: view)
        }
        try noteForm(ofX5chain: chain, of: message, bucket, mayEndWithRoot: mayEndWithRoot, at: view)
        for certificate in chain {
            try check(certificate.count, limit: options.limits.certificateSize, "bytes of a certificate", at: view)
        }
        return chain
    }

    /// Notes an array of one certificate, a chain in the other header, and a root at the end of a chain without a place
    /// for it, if tolerated.
    private mutating func noteForm(
        ofX5chain chain: [ArraySlice<UInt8>],
        of message: COSESign1,
        _ bucket: X5chainBucket,
        mayEndWithRoot: Bool,
        at view: CBORView
    ) throws(MdocError) {
        guard let last = chain.last else { return }
        var isArrayOfOne = false
        do throws(COSEError) {
            if chain.count == 1, try message.headers.parameter(.x5chain)?.kind == .array { isArrayOfOne = true }
        } catch {
            throw MdocError(cose: error, at: view)
        }
        if isArrayOfOne { try tolerate(.arrayOfOneCertificate, at: view) }
        switch (bucket, message.headers.protected.contains(.x5chain)) {
        case (.unprotected, true): try tolerate(.protectedX5chain, at: view)
        case (.protected, false): try tolerate(.unprotectedX5chain, at: view)
        case (.unprotected, false), (.protected, true): break
        }
        if !mayEndWithRoot, chain.count > 1, Self.isSelfIssued(last) { try tolerate(.rootInX5chain, at: view) }
    }

    /// Returns `true` if a certificate names itself as its issuer.
    ///
    /// An unreadable one returns `false`, and fails the chain later.
    private static func isSelfIssued(_ der: ArraySlice<UInt8>) -> Bool {
        do throws(CryptoError) {
            let certificate = try Certificate(der: der)
            return certificate.subject == certificate.issuer
        } catch {
            return false
        }
    }

    private mutating func untagged(_ view: CBORView) throws(MdocError) {
        if view.tag != nil { try tolerate(.taggedCOSE, at: view) }
    }
}

/// The header that the standard has the certificates of a signature in.
package enum X5chainBucket: Sendable {
    case unprotected
    case protected
}

/// A reader's signature over a whole request; a request can have several.
extension COSESign1: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        self = try reading.readerAuth(view)
    }
}

extension COSEKey: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        self = try reading.key(view)
    }
}

extension MdocError {
    /// Makes an error out of one that reading or building a COSE structure gave.
    package init(cose error: COSEError, at view: CBORView) {
        self.init(error.code == .limitExceeded ? .limitExceeded : .malformedCOSE, error.message, at: view, cause: error)
    }
}
