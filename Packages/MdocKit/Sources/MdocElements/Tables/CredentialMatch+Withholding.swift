public import MdocKit

extension CredentialMatch {
    /// The elements to return that a wallet may keep back from a reader that does not authenticate itself.
    ///
    /// A mobile driving licence must not make reader authentication a condition of its mandatory elements (ISO/IEC
    /// 18013-5, 12.5); other documents may.
    public var withholdableWithoutReaderAuthentication: [DataElementReference] {
        guard credential.docType == .mDL else { return disclosed }
        return disclosed.filter { DataElementSchema.mDL[$0]?.presence != .mandatory }
    }
}
