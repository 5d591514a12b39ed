/// A structure that can carry countersignatures: a message, a signature, a recipient, or a countersignature (RFC 9338).
///
/// A countersignature stands in the unprotected bucket and covers the structure as it was finished: its protected
/// headers, its content, and whatever its cryptography computed.
public protocol COSECountersignable: Sendable {
    /// The headers.
    var headers: COSEHeaders { get }

    /// The part of the structure that a countersignature covers.
    var countersignatureTarget: COSECountersignatureTarget { get }

    /// The same structure with another unprotected bucket.
    func replacing(unprotected: COSEHeaderMap) -> Self
}

/// The part of a structure that a countersignature covers (RFC 9338 section 3.3).
public struct COSECountersignatureTarget: Sendable {
    /// The structure's protected headers.
    let protectedBytes: ArraySlice<UInt8>
    /// The second byte string of the structure: payload, ciphertext or signature; nil if it is detached.
    let content: ArraySlice<UInt8>?
    /// The byte strings after the second: the signature of a COSE_Sign1, the tag of a COSE_Mac or COSE_Mac0.
    let otherFields: [ArraySlice<UInt8>]
}

extension COSESign1: COSECountersignable {
    /// Protected headers, payload, and the signature.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(
            protectedBytes: headers.authenticatedBytes,
            content: unverifiedPayload,
            otherFields: [signature]
        )
    }

    /// The same message with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSESign1 {
        let headers = headers.replacing(unprotected: unprotected)
        return COSESign1(headers: headers, payload: unverifiedPayload, signature: signature)
    }
}

extension COSESign: COSECountersignable {
    /// Protected headers and payload; the signatures are not byte strings.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(
            protectedBytes: headers.authenticatedBytes,
            content: unverifiedPayload,
            otherFields: []
        )
    }

    /// The same message with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSESign {
        let headers = headers.replacing(unprotected: unprotected)
        return COSESign(headers: headers, payload: unverifiedPayload, signatures: signatures)
    }

    /// The same message with another signature in the place of one, such as that one with a countersignature.
    public func replacing(signatureAt index: Int, with signature: COSESignature) -> COSESign {
        var signatures = signatures
        if signatures.indices.contains(index) { signatures[index] = signature }
        return COSESign(headers: headers, payload: unverifiedPayload, signatures: signatures)
    }
}

extension COSESignature: COSECountersignable {
    /// Protected headers and the signature.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(protectedBytes: headers.authenticatedBytes, content: signature, otherFields: [])
    }

    /// The same signature with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSESignature {
        COSESignature(headers: headers.replacing(unprotected: unprotected), signature: signature)
    }
}

extension COSEMac0: COSECountersignable {
    /// Protected headers, payload, and the tag.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(
            protectedBytes: headers.authenticatedBytes,
            content: unverifiedPayload,
            otherFields: [tag]
        )
    }

    /// The same message with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSEMac0 {
        COSEMac0(headers: headers.replacing(unprotected: unprotected), payload: unverifiedPayload, tag: tag)
    }
}

extension COSEMac: COSECountersignable {
    /// Protected headers, payload, and the tag.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(
            protectedBytes: headers.authenticatedBytes,
            content: unverifiedPayload,
            otherFields: [tag]
        )
    }

    /// The same message with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSEMac {
        let headers = headers.replacing(unprotected: unprotected)
        return COSEMac(headers: headers, payload: unverifiedPayload, tag: tag, recipients: recipients)
    }
}

extension COSEEncrypt0: COSECountersignable {
    /// Protected headers and ciphertext.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(protectedBytes: headers.authenticatedBytes, content: ciphertext, otherFields: [])
    }

    /// The same message with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSEEncrypt0 {
        COSEEncrypt0(headers: headers.replacing(unprotected: unprotected), ciphertext: ciphertext)
    }
}

extension COSEEncrypt: COSECountersignable {
    /// Protected headers and ciphertext.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(protectedBytes: headers.authenticatedBytes, content: ciphertext, otherFields: [])
    }

    /// The same message with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSEEncrypt {
        let headers = headers.replacing(unprotected: unprotected)
        return COSEEncrypt(headers: headers, ciphertext: ciphertext, recipients: recipients)
    }
}

extension COSERecipient: COSECountersignable {
    /// Protected headers and the encrypted key.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(
            protectedBytes: headers.authenticatedBytes,
            content: ciphertext ?? [],
            otherFields: []
        )
    }

    /// The same recipient with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSERecipient {
        let headers = headers.replacing(unprotected: unprotected)
        return COSERecipient(headers: headers, ciphertext: ciphertext.map { [UInt8]($0) }, recipients: recipients)
    }
}
