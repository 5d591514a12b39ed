import CBORKit

/// A document of a ``DeviceResponse`` that is not the structure it should be.
public struct UnreadableDocument: Sendable {
    /// Its place in the response, counted from 0.
    public let index: Int
    /// The type that it states, where that much can be read.
    public let docType: DocType?
    /// The error in the document.
    public let error: MdocError
}

extension UnreadableDocument {
    init(_ view: CBORView, index: Int, _ error: MdocError) {
        self.index = index
        docType = (try? view.map().value(forKey: "docType")?.text()).map { DocType($0) }
        self.error = error
    }
}
