public import MdocKit

/// Connects a reader over NFC to the wallet whose card it has found.
public struct NFCMdocConnector: MdocTransportConnector {
    private let link: any NFCReaderLink
    private let options: NFCOptions?
    private let supportsExtendedLength: Bool
    private let maximumMessageSize: Int

    /// Makes a connector for one card.
    ///
    /// - Parameters:
    ///   - link: A connection to the card.
    ///   - options: The lengths that the wallet takes, where an NFC handover told them
    ///     (``NFCHandover/retrievalMethods()``); nil if the engagement tells them.
    ///   - supportsExtendedLength: Indicates that the radio can send more than 255 and receive more than 256 bytes at
    ///     once.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    public init(
        over link: any NFCReaderLink,
        options: NFCOptions? = nil,
        supportsExtendedLength: Bool = true,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) {
        self.link = link
        self.options = options
        self.supportsExtendedLength = supportsExtendedLength
        self.maximumMessageSize = maximumMessageSize
    }

    /// Selects the wallet's application.
    ///
    /// - Parameter engagement: The wallet's engagement.
    /// - Throws: `MdocError` with code `transportFailed` if the wallet offers no data transfer over NFC, or the errors
    ///   of ``NFCReaderMdocTransport/connect(over:transfer:)``.
    public func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport {
        guard let options = options ?? engagement.retrievalMethods.lazy.compactMap(\.nfcOptions).first else {
            throw MdocError(.transportFailed, "the wallet offers no data transfer over NFC")
        }
        return try await NFCReaderMdocTransport.connect(
            over: link,
            transfer: NFCTransferReader(
                options: options,
                supportsExtendedLength: supportsExtendedLength,
                maximumMessageSize: maximumMessageSize
            )
        )
    }
}

extension DeviceRetrievalMethod {
    /// The lengths of data transfer over NFC; nil for any other method.
    public var nfcOptions: NFCOptions? {
        guard case .nfc(let options) = self else { return nil }
        return options
    }
}
