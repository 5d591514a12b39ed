/// What all decoders of one call share.
final class DecodingSession {
    let options: CBORDecoder
    private var types = TypeCatalogue(TypeTreatment.decoding)

    init(_ options: CBORDecoder) {
        self.options = options
    }

    /// How to treat a type.
    func treatment(of type: Any.Type) -> TypeTreatment {
        types.treatment(of: type)
    }

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }
}
