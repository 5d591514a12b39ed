import CBORKit
import COSEKit

extension Reading {
    /// A COSE_Sign1; a tagged one where that is tolerated.
    mutating func sign1(_ view: CBORView) throws(MdocError) -> COSESign1 {
        try untagged(view)
        do {
            return try COSESign1(cbor: view, options: coseOptions)
        } catch {
            throw MdocError(cose: error, at: view)
        }
    }

    /// A COSE_Mac0; a tagged one where that is tolerated.
    mutating func mac0(_ view: CBORView) throws(MdocError) -> COSEMac0 {
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
    mutating func key(_ view: CBORView) throws(MdocError) -> COSEKey {
        try check(view.encodedBytes.count, limit: options.limits.certificateSize, "bytes of a key", at: view)
        do {
            return try COSEKey(cbor: view)
        } catch {
            guard let key = Self.keyWithoutTextID(view) else { throw MdocError(cose: error, at: view) }
            try tolerate(.textKeyID, at: view)
            return key
        }
    }

    /// A key without its `kid`, where that is text; nil where that is not what is wrong with it.
    ///
    /// Everything else stays: what restricts the key still does.
    private static func keyWithoutTextID(_ view: CBORView) -> COSEKey? {
        guard let map = try? view.map(), let textID = map.value(forKey: 2), textID.kind == .textString else {
            return nil
        }
        let parameters = map.filter { $0.value.offset != textID.offset }
        let key = CBORWriter.bytes { writer in
            writer.beginMap(count: parameters.count)
            for (label, value) in parameters {
                writer.write(encoded: label.encodedBytes)
                writer.write(encoded: value.encodedBytes)
            }
        }
        return try? COSEKey(decoding: key)
    }

    /// The certificates of a signature in DER, leaf first, from either bucket; empty where there are none.
    mutating func x5chain(of message: COSESign1, at view: CBORView) throws(MdocError) -> [ArraySlice<UInt8>] {
        let chain: [ArraySlice<UInt8>]
        let isArray: Bool
        do throws(COSEError) {
            guard let x5chain = try message.headers.parameter(.x5chain) else { return [] }
            isArray = x5chain.kind == .array
            if !isArray, let only = try? x5chain.bytes() {
                chain = [only]
            } else {
                let limit = options.limits.certificates
                chain = try message.headers.x5chain(maximumCount: limit, allowingArrayOfOne: true)
            }
        } catch {
            throw MdocError(cose: error, at: view)
        }
        if isArray, chain.count == 1 { try tolerate(.arrayOfOneCertificate, at: view) }
        for certificate in chain {
            try check(certificate.count, limit: options.limits.certificateSize, "bytes of a certificate", at: view)
        }
        return chain
    }

    private mutating func untagged(_ view: CBORView) throws(MdocError) {
        if view.tag != nil { try tolerate(.taggedCOSE, at: view) }
    }
}

extension COSESign1: MdocReadable {
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        self = try reading.sign1(view)
    }
}

extension COSEKey: MdocReadable {
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        self = try reading.key(view)
    }
}

extension MdocError {
    /// Makes an error out of one that reading or building a COSE structure gave.
    init(cose error: COSEError, at view: CBORView) {
        self.init(error.code == .limitExceeded ? .limitExceeded : .malformedCOSE, error.message, at: view, cause: error)
    }
}
