package import CBORKit
package import MdocKit

/// The origin of an engagement (ISO/IEC TS 18013-7, A.5).
public struct OriginInfo: Hashable, Sendable {
    /// The category; 1 is the engagement's delivery.
    public let category: UInt64
    /// The type; 1 is a website's domain, 0 something else.
    public let type: UInt64
    /// The domain of a website; nil if the details have none, and for other origins.
    public let domain: String?

    /// The domain of the website that the wallet was called from; empty if it does not know.
    public static func website(domain: String) -> OriginInfo {
        OriginInfo(category: 1, type: 1, domain: domain)
    }

    private init(category: UInt64, type: UInt64, domain: String?) {
        self.category = category
        self.type = type
        self.domain = domain
    }
}

extension OriginInfo: MdocReadable {
    /// Returns `true` for an entry that has a category and a type.
    static func isForm(of view: CBORView) -> Bool {
        guard let map = try? view.map() else { return false }
        return map.value(forKey: "cat")?.kind == .unsigned && map.value(forKey: "type")?.kind == .unsigned
    }

    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        category = try cbor(map.required("cat").integer())
        type = try cbor(map.required("type").integer())
        // The details of other origins may have any form.
        guard category == 1, type == 1, let details = map.value(forKey: "details") else {
            domain = nil
            return
        }
        domain = try cbor(details.map()).value(forKey: "domain").map { (view) throws(MdocError) in
            try cbor(view.text())
        }
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: 3)
        writer.write(text: "cat")
        writer.write(unsigned: category)
        writer.write(text: "type")
        writer.write(unsigned: type)
        writer.write(text: "details")
        writer.beginMap(count: domain == nil ? 0 : 1)
        if let domain {
            writer.write(text: "domain")
            writer.write(text: domain)
        }
    }
}
