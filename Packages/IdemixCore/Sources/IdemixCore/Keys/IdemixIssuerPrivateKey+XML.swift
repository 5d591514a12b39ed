public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension IdemixIssuerPrivateKey {
    /// Reads a key from its XML file.
    ///
    /// The caller wipes the bytes; the copies that are made of them are wiped. An empty ECDSA element counts as absent.
    ///
    /// - Throws: ``IdemixError/Code/malformedXML``, ``IdemixError/Code/limitExceeded``, and the errors of
    ///   ``init(counter:expiryDate:p:q:revocationKey:validation:using:)``.
    public init(
        xml: some ContiguousBytes,
        validation: Validation = .safePrimes,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) {
        do throws(IdemixError) {
            let root = try XMLReader.root(of: xml)
            guard root.name == "IssuerPrivateKey" else {
                throw IdemixError(.malformedXML, "the root element is <\(root.name)>")
            }
            let numbers = try root.child("Elements")
            let (p, q) = (try numbers.number("p"), try numbers.number("q"))
            let (pPrime, qPrime) = (try numbers.number("pPrime"), try numbers.number("qPrime"))
            guard pPrime.shiftedLeft(by: 1) + 1 == p, qPrime.shiftedLeft(by: 1) + 1 == q else {
                throw IdemixError(.invalidKey, "pPrime and qPrime are not (p − 1)/2 and (q − 1)/2", path: ["Elements"])
            }
            try self.init(
                counter: root.counter(),
                expiryDate: root.expiryDate(),
                p: p,
                q: q,
                revocationKey: Self.revocationKey(root.optionalChild("ECDSA")),
                validation: validation,
                using: randomness
            )
        } catch {
            throw error.inside("IssuerPrivateKey")
        }
    }

    /// The key's XML file, to be written where only its owner can read it (mode 0600).
    ///
    /// - Throws: ``IdemixError/Code/invalidKey`` if the ECDSA key cannot be exported.
    public func xml() throws(IdemixError) -> SecretBytes {
        var writer = XMLWriter(root: "IssuerPrivateKey")
        writer.write("Counter", String(counter))
        writer.write("ExpiryDate", String(expiryDate.wholeSeconds))
        writer.element("Elements") { writer in
            writer.write("p", group.p)
            writer.write("q", group.q)
            writer.write("pPrime", group.pPrime)
            writer.write("qPrime", group.qPrime)
        }
        if let revocationKey { writer.write("ECDSA", try Self.base64(revocationKey)) }
        return writer.finish()
    }

    private static func base64(_ key: PrivateKey) throws(IdemixError) -> SecretBytes {
        guard let der = key.sec1 else {
            throw IdemixError(.invalidKey, "the ECDSA key cannot be exported", path: ["ECDSA"])
        }
        return der.base64
    }

    private static func revocationKey(_ element: XMLElement?) throws(IdemixError) -> PrivateKey? {
        guard let element, !element.isEmpty else { return nil }
        let der = try element.base64()
        do {
            return try PrivateKey(sec1: der)
        } catch {
            throw IdemixError(.invalidKey, "no ECDSA private key", path: ["ECDSA"], cause: error)
        }
    }
}
