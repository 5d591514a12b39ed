/// The type of a document, such as `org.iso.18013.5.1.mDL`; an open set, matched exactly.
public struct DocType: ExactName {
    /// The name as it travels.
    public let text: String

    /// Creates a document type.
    public init(_ text: String) {
        self.text = text
    }

    /// The mobile driving licence of ISO/IEC 18013-5.
    public static let mDL: DocType = "org.iso.18013.5.1.mDL"
}
