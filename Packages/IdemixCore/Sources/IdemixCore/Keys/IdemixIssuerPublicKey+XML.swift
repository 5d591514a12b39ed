import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension IdemixIssuerPublicKey {
    /// Reads a key from its XML file.
    ///
    /// The bases are taken in the document's order, whatever their elements are called; unknown elements are skipped.
    /// As with the Go implementation, a key without G, H or a text in its ECDSA element does not support revocation,
    /// and its ECDSA element is not read.
    ///
    /// - Throws: ``IdemixError/Code/malformedXML``, ``IdemixError/Code/limitExceeded`` and the errors of
    ///   ``init(counter:expiryDate:elements:revocationKey:epochLength:tables:)``.
    public init(xml: some ContiguousBytes, tables: FixedBaseTables = .shared) throws(IdemixError) {
        do throws(IdemixError) {
            let root = try XMLReader.root(of: xml)
            guard root.name == "IssuerPublicKey" else {
                throw IdemixError(.malformedXML, "the root element is <\(root.name)>")
            }
            let numbers = try root.child("Elements")
            let elements = IdemixKeyElements(
                n: try numbers.number("n"),
                Z: try numbers.number("Z"),
                S: try numbers.number("S"),
                R: try Self.bases(numbers.child("Bases")),
                G: try numbers.optionalChild("G")?.number(),
                H: try numbers.optionalChild("H")?.number()
            )
            try self.init(
                counter: root.counter(),
                expiryDate: root.expiryDate(),
                elements: elements,
                revocationKey: Self.revocationKey(root.optionalChild("ECDSA"), elements),
                epochLength: Self.epochLength(root),
                tables: tables
            )
        } catch {
            throw error.inside("IssuerPublicKey")
        }
    }

    /// The key's XML file.
    public var xml: [UInt8] {
        var writer = XMLWriter(root: "IssuerPublicKey")
        writer.write("Counter", String(counter))
        writer.write("ExpiryDate", String(expiryDate.wholeSeconds))
        writer.element("Elements") { writer in
            let optional = [("G", elements.G), ("H", elements.H)]
            writer.write("n", elements.n)
            writer.write("Z", elements.Z)
            writer.write("S", elements.S)
            for case (let name, let value?) in optional { writer.write(name, value) }
            writer.element("Bases", attributes: " num=\"\(elements.R.count)\"") { writer in
                for (index, base) in elements.R.enumerated() { writer.write("Base_\(index)", base) }
            }
        }
        writer.element("Features") { $0.write("Epoch", "", attributes: " length=\"\(epochLength)\"") }
        if let revocationKey {
            writer.write("ECDSA", Data(revocationKey.subjectPublicKeyInfo).base64EncodedString())
        }
        return unsafe writer.finish().withUnsafeBytes { unsafe [UInt8]($0) }
    }

    private static func bases(_ element: XMLElement) throws(IdemixError) -> [BigInteger] {
        guard element.attributes["num"] == String(element.children.count) else {
            throw IdemixError(.malformedXML, "num is not the number of bases", path: ["Bases"])
        }
        guard element.children.count <= IdemixKeyElements.maximumBases else {
            throw IdemixError(.limitExceeded, "\(element.children.count) bases", path: ["Bases"])
        }
        var bases: [BigInteger] = []
        for child in element.children { bases.append(try child.number()) }
        return bases
    }

    private static func epochLength(_ root: XMLElement) throws(IdemixError) -> Int {
        guard let text = try root.optionalChild("Features")?.optionalChild("Epoch")?.attributes["length"] else {
            return 432_000
        }
        guard let length = Int(text), length >= 0 else {
            throw IdemixError(.malformedXML, "the length is no number", path: ["Features", "Epoch"])
        }
        return length
    }

    private static func revocationKey(
        _ element: XMLElement?,
        _ elements: IdemixKeyElements
    ) throws(IdemixError) -> PublicKey? {
        guard let element, !element.isEmpty, elements.G != nil, elements.H != nil else { return nil }
        let der = try element.base64()
        do {
            return try PublicKey(subjectPublicKeyInfo: der)
        } catch {
            throw IdemixError(.invalidKey, "no ECDSA public key", path: ["ECDSA"], cause: error)
        }
    }
}
