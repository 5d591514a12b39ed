public import CryptoCore
import MdocKit
import MdocProximity

/// A reader's identity for signing its requests, so that wallets can recognize it (ISO/IEC 18013-5, 12.5).
public struct ReaderIdentity: Sendable {
    /// The key of the reader's certificate.
    public let signer: any Signer
    /// The reader's certificate, and intermediate ones if there are any, leaf first.
    public let x5chain: [Certificate]

    /// Takes a key and its certificates.
    public init(signer: any Signer, x5chain: [Certificate]) {
        self.signer = signer
        self.x5chain = x5chain
    }
}

extension DeviceRequest {
    /// Asks for credentials, one document request for each, signed by a reader if one is given.
    init(
        _ requests: [MobileCredentialRequest],
        sessionTranscript: SessionTranscript,
        signedBy reader: ReaderIdentity?
    ) async throws(MdocError) {
        guard let reader else {
            try self.init(requests)
            return
        }
        var docRequests: [DocRequest] = []
        for request in requests {
            docRequests.append(
                try await .signed(
                    request.itemsRequest(),
                    sessionTranscript: sessionTranscript,
                    with: reader.signer,
                    x5chain: reader.x5chain
                )
            )
        }
        try self.init(docRequests: docRequests)
    }
}
