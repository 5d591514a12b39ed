@_spi(Layers) import JOSEKit
import JSONKit

extension SDJWT {
    private static let separator = UInt8(ascii: "~")

    /// Reads the compact serialization: `<JWT>~<Disclosure>~…~`, with a Key Binding JWT at its end or without
    /// (RFC 9901, section 4).
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/malformed`` if there is no tilde or an empty Disclosure,
    ///   ``SDJWTError/Code/malformedJWT``, ``SDJWTError/Code/malformedDisclosure``, ``SDJWTError/Code/limitExceeded``.
    public init(compact text: some StringProtocol, limits: SDJWTLimits = .default) throws(SDJWTError) {
        try self.init(compact: Array(text.utf8), limits: limits)
    }

    /// Reads the compact serialization.
    ///
    /// - Throws: As for a string.
    public init(compact text: some Collection<UInt8>, limits: SDJWTLimits = .default) throws(SDJWTError) {
        let text = Array(text)
        do throws(SDJWTError) {
            try self.init(compactText: text, limits: limits)
        } catch {
            throw error.inside("SD-JWT")
        }
    }

    private init(compactText text: [UInt8], limits: SDJWTLimits) throws(SDJWTError) {
        guard text.count <= limits.size else {
            throw SDJWTError(.limitExceeded, "\(text.count) bytes, over \(limits.size)")
        }
        // One Disclosure more than permitted suffices to refuse the text.
        let limit = max(0, min(limits.disclosures, text.count))
        let ends = ByteScan.places(of: Self.separator, in: text.span, atMost: limit + 2)
        guard let first = ends.first, let last = ends.last else {
            throw SDJWTError(.malformed, "there is no tilde: the text is no SD-JWT")
        }
        guard ends.count - 1 <= limits.disclosures else {
            throw SDJWTError(.limitExceeded, "more than \(limits.disclosures) Disclosures")
        }
        let jwt = try Self.issuerSignedJWT(text[..<first], limits: limits)
        let ranges = zip(ends, ends.dropFirst()).map { $0 + 1..<$1 }
        try self.init(
            .compact,
            jwt.jws,
            payload: jwt.claims,
            try Self.disclosures(in: text[...], at: ranges, limits: limits),
            presentedText: text[...last],
            keyBindingText: last == text.count - 1 ? nil : text[(last + 1)...],
            limits: limits
        )
    }

    private static func issuerSignedJWT(
        _ text: ArraySlice<UInt8>,
        limits: SDJWTLimits
    ) throws(SDJWTError) -> (jws: JWS, claims: JSONObjectView) {
        do throws(SDJWTError) {
            let jws: JWS
            do throws(JOSEError) {
                jws = try JWS(compact: text, limits: limits.jose)
            } catch {
                throw SDJWTError(.malformedJWT, reading: error)
            }
            return (jws, try claims(of: jws, limits: limits))
        } catch {
            throw error.inside("issuerSignedJWT")
        }
    }

    /// Reads the Disclosures whose texts stand at some places of a text.
    static func disclosures(
        in text: ArraySlice<UInt8>,
        at ranges: [Range<Int>],
        limits: SDJWTLimits
    ) throws(SDJWTError) -> any DisclosureList {
        if let batch = DisclosureBatch(text, ranges, limits: limits) { return batch }
        var disclosures: [SDJWTDisclosure] = []
        disclosures.reserveCapacity(ranges.count)
        for range in ranges {
            do throws(SDJWTError) {
                disclosures.append(try SDJWTDisclosure(encodedBytes: text[range], limits: limits))
            } catch {
                throw error.inside("disclosures[\(disclosures.count)]")
            }
        }
        return SeparateDisclosures(disclosures)
    }

    /// The compact serialization; received text is written unchanged.
    ///
    /// - Throws: ``SDJWTError/Code/invalidValue`` for an object with several signatures.
    public func compactSerialization() throws(SDJWTError) -> String {
        guard issuerSignedJWT.signatures.count == 1 else {
            throw SDJWTError(.invalidValue, "the compact serialization has one signature", path: ["SD-JWT"])
        }
        return String(decoding: presentedText + (keyBindingText ?? []), as: UTF8.self)
    }

    /// `<JWT>~<Disclosure>~…~` of the first signature.
    static func presentedText(_ jws: JWS, _ disclosures: any DisclosureList) throws(SDJWTError) -> [UInt8] {
        var text: [UInt8]
        do throws(JOSEError) {
            text = try jws.signingInput()
        } catch {
            throw SDJWTError(.malformedJWT, reading: error)
        }
        text.append(UInt8(ascii: "."))
        text += Base64URL.encodedBytes(jws.signatures.first?.signature ?? [])
        for place in 0..<disclosures.count {
            text.append(separator)
            text += disclosures.encodedBytes(at: place)
        }
        text.append(separator)
        return text
    }
}
