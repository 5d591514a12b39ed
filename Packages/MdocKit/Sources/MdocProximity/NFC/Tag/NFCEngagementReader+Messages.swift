import MdocKit

extension NFCEngagementReader {
    /// Goes on with a message of the tag.
    mutating func take(_ message: NDEFMessage, _ expected: Expected) throws(MdocError) -> Step {
        switch expected {
        case .initial: return try takeInitial(message)
        case .status: return try takeStatus(message)
        case .select: return try takeSelect(message)
        }
    }

    /// A tag that offers the handover service negotiates; any other shows the Handover Select message.
    private mutating func takeInitial(_ message: NDEFMessage) throws(MdocError) -> Step {
        guard let offer = try handoverService(in: message) else {
            let select = try HandoverSelect(message, options, limits)
            return try complete(NFCHandover(select: select, request: nil))
        }
        guard request != nil else {
            throw MdocError(.unexpectedMessage, "the wallet negotiates, but the reader has nothing to offer")
        }
        service = offer
        let selection = TNEPServiceSelect(serviceName: offer.serviceName)
        return try write(try writes(of: try selection.message()), then: .status)
    }

    private func handoverService(in message: NDEFMessage) throws(MdocError) -> TNEPServiceParameters? {
        for record in message.records {
            guard let service = try TNEPServiceParameters(record) else { continue }
            if service.serviceName == TNEPServiceParameters.handoverServiceName { return service }
        }
        return nil
    }

    private mutating func takeStatus(_ message: NDEFMessage) throws(MdocError) -> Step {
        guard let status = try TNEPStatus(message) else {
            throw MdocError(.malformedHandover, "the tag does not say how it takes the choice of the service")
        }
        guard status == .success, let request else {
            throw MdocError(.handoverRefused, "the tag refuses the handover service with TNEP status \(status.code)")
        }
        return try write(try writes(of: request.message), then: .select)
    }

    private mutating func takeSelect(_ message: NDEFMessage) throws(MdocError) -> Step {
        if let status = try TNEPStatus(message), status != .success {
            throw MdocError(.handoverRefused, "the tag refuses the request with TNEP status \(status.code)")
        }
        return try complete(NFCHandover(select: try HandoverSelect(message, options, limits), request: request))
    }

    /// The handover, whose carriers must be usable and, in negotiated handover, one that was offered.
    private func complete(_ handover: NFCHandover) throws(MdocError) -> Step {
        _ = try handover.retrievalMethods()
        return .complete(handover)
    }
}
